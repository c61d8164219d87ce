import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod/mini';
import type { Call } from '../kernel/contract/call.ts';
import { permissionCodesOf } from '../kernel/server/registry.ts';
import type { CallCase } from './cases.ts';
import { allCases } from './allCases.ts';
import { dumpTables, stands } from './dump.ts';
import type { TestStaff } from './staff.ts';
import { lostUnder } from './lostDatabase.ts';
import { signedHeaders } from './signing.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Generated from the call table, so that no call can escape: a call without a case fails.
const SURPLUS = 'surplusKeyOfTheTest';
const cases = new Map(allCases.map((entry) => [entry.call.name, entry]));

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Fails unless each of the calls passes; names all that do not. */
async function each(calls: readonly Call[], check: (call: Call) => Promise<string | null>): Promise<void> {
  const faults: string[] = [];
  for (const call of calls) {
    const fault = await check(call).catch((error: unknown) => String(error));
    if (fault) faults.push(`${call.name}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

interface Shape {
  type?: string;
  maxItems?: number;
  maxLength?: number;
  pattern?: string;
  enum?: unknown;
  const?: unknown;
  format?: string;
  items?: Shape;
  properties?: Record<string, Shape>;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  additionalProperties?: unknown;
}
/** Words about somebody's health. Numbers of persons are concealed wherever they stand. */
const MEDICAL = new Set([
  'chiefComplaint',
  'presentIllness',
  'pastHistory',
  'familyHistory',
  'allergy',
  'allergyHistory',
  'diagnoses',
  'icd10',
  'regimen',
  'advice',
  'conclusion',
  'indicators',
  'medicines',
  'symptom',
]);
/** Free values: their handlers or contracts weigh the whole. */
const WEIGHED = new Set([
  'SystemService/modifyUserPreference.value',
  'ImportService/addImportTask.params.*',
  'ImMedicalGroupService/saveView.filters.*',
]);

/** Places of an input that a caller could fill without end, as far as the body's limit goes. */
function unbounded(shape: Shape, path: string): string[] {
  const own =
    (shape.type === 'array' && shape.maxItems === undefined) ||
    (shape.type === 'string' &&
      shape.maxLength === undefined &&
      [shape.pattern, shape.enum, shape.format, shape.const].every((limit) => limit === undefined));
  const free = Object.keys(shape).every((key) => key === '$schema' || key === 'default');
  const values = shape.additionalProperties;
  return [
    ...(own || free ? [path] : []),
    ...(shape.items ? unbounded(shape.items, `${path}[]`) : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([key, value]) => unbounded(value, `${path}.${key}`)),
    ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => all ?? []).flatMap((one) => unbounded(one, path)),
    ...(typeof values === 'object' && values !== null ? unbounded(values, `${path}.*`) : []),
  ];
}

/** What only its owner may read, by the name of its field. A lease token is worth nothing to anybody else. */
const SECRET_FIELD = /[pP]assword$|[sS]ecret$|[tT]oken$|Sig$|Sign$|[cC]redential$|^Authorization$/;
const HARMLESS = new Set(['mustChangePassword', 'leaseToken']);
const namesIn = (shape: Shape): string[] => [
  ...Object.entries(shape.properties ?? {}).flatMap(([key, value]) => [key, ...namesIn(value)]),
  ...(shape.items ? namesIn(shape.items) : []),
  ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((all) => all ?? []).flatMap(namesIn),
];

/** Commands of somebody known that run in one transaction: they honour `Idempotency-Key`. */
const hasKeys = (call: Call) =>
  call.access.kind !== 'public' && app.kernel.registry.handlers.some((handler) => handler.call === call && handler.mode === 'command');
const logged = async (call: Call, { userId }: TestStaff) =>
  (
    await sql<{ rows: number }>`
      select count(*)::int as rows from identity_operation_log
      where call = ${call.path} and user_id = ${userId}`.execute(app.db)
  ).rows[0]!.rows;

/** What a reveal shows of a person; its other fields say whom and what it is about. */
const REVEALED = new Set([...MEDICAL, 'value', 'mobile', 'idNo', 'formerIdNo', 'text']);
/** Where a canary stands in clear by design: `Service.field`, the tables, the reason. */
const AT_HOME: readonly (readonly [canary: RegExp, tables: readonly string[], reason: string])[] = [
  [
    /^(QrCode|SceneCode|WeChatWork)Service\.token$/,
    ['channel_qr_code', 'channel_qr_scan', 'identity_operation_log'],
    'printed on every code',
  ],
  [/\.leaseToken$/, ['doctor_qual_apply'], 'says who works on an application; without the session of that person it opens nothing'],
  [
    /^(ImMessage|Queue|VisitRecord)Service\./,
    ['consultation_im_message', 'consultation_im_message_original', 'consultation_inquiry', 'consultation_visit_record', 'pgboss.job'],
    'the conversation and the medical record themselves, and what the product says to a group on its way there',
  ],
];

/** Secrets that went over the wire, each with the service and field that took or answered it. */
const canaries = new Map<string, string>();
const leaves = (value: unknown, key = ''): { key: string; text: string }[] => {
  if (typeof value === 'string') return [{ key, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, Array.isArray(value) ? key : name));
};
function keepCanaries(call: Call, input: unknown, answer: unknown): void {
  const told = leaves(input).filter(({ key }) => SECRET_FIELD.test(key));
  const answered = leaves(answer).filter(({ key }) => SECRET_FIELD.test(key) || (call.logged === 'REVEAL' && REVEALED.has(key)));
  for (const { key, text } of [...told, ...answered]) if (text.length >= 6) canaries.set(text, `${call.service}.${key}`);
}

const needsSession = ({ access }: Call) => !['public', 'signed'].includes(access.kind);

describe('every call of the product', () => {
  it('has a case', () => {
    expect(app.kernel.registry.calls.filter(({ name }) => !cases.has(name)).map(({ name }) => name)).toEqual([]);
    const registered = new Set(app.kernel.registry.calls.map(({ name }) => name));
    expect([...cases.keys()].filter((name) => !registered.has(name))).toEqual([]);
  });

  it('bounds every list and every text that it takes', () => {
    const shapeOf = (call: Call): Shape => JSON.parse(JSON.stringify(toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })));
    expect(
      app.kernel.registry.calls
        .flatMap((call) => unbounded(shapeOf(call), '').map((path) => `${call.name}${path}`))
        .filter((path) => !WEIGHED.has(path)),
    ).toEqual([]);
  });

  it('leaves what a patient told or what he has out of the operation log', () => {
    const told = app.kernel.registry.calls
      .filter(({ logged }) => logged !== null && logged !== 'EXPORT')
      .flatMap((call) => {
        const shape: Shape = JSON.parse(JSON.stringify(toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })));
        return Object.keys(shape.properties ?? {})
          .filter((key) => MEDICAL.has(key) && !call.secrets?.includes(key))
          .map((key) => `${call.name}.${key}`);
      });
    expect(told).toEqual([]);
  });

  it('declares an answer secret that holds a secret, and demands no key where a repeat is an act of its own', () => {
    const { calls } = app.kernel.registry;
    const open = calls
      .filter(({ kind, secretOutput }) => kind === 'command' && !secretOutput)
      .flatMap((call) => {
        const shape: Shape = JSON.parse(JSON.stringify(toJSONSchema(call.output, { io: 'output', unrepresentable: 'any' })));
        return namesIn(shape)
          .filter((name) => SECRET_FIELD.test(name) && !HARMLESS.has(name))
          .map((name) => `${call.name}.${name}`);
      });
    expect(open).toEqual([]);
    expect(calls.filter(({ secretOutput, idempotency }) => secretOutput && idempotency === 'required').map(({ name }) => name)).toEqual([]);
    expect(
      calls.filter(({ logged, secretOutput }) => (logged === 'REVEAL' || logged === 'AUTH') && !secretOutput).map(({ name }) => name),
    ).toEqual([]);
  });

  it('is refused without a session', async () => {
    await each(app.kernel.registry.calls.filter(needsSession), async (call) => {
      const { envelope } = await app.send(call, {});
      return envelope.code === 'SCM90002' ? null : envelope.code;
    });
  });

  it('is refused without its permission', async () => {
    const nobody = await app.staff({ permissions: [] });
    await each(
      app.kernel.registry.calls.filter(({ access }) => access.kind === 'permission'),
      async (call) => {
        const { envelope } = await app.send(call, {}, { as: nobody });
        return envelope.code === 'SCM90010' ? null : envelope.code;
      },
    );
  });
});

it('leaves a row of a refused write, whatever its body holds', async () => {
  const nobody = await app.staff({ permissions: [] });
  const body = { 'key\0': ['a\0b', '\ud83d'], note: '😀'.repeat(3_000), deep: { text: '\udc00' } };
  const written = app.kernel.registry.calls.filter(
    (call) => call.logged !== null && needsSession(call) && call.access.kind !== 'participant',
  );
  expect(written.length).toBeGreaterThan(250);
  await each(written, async (call) => {
    const before = await logged(call, nobody);
    const { envelope } = await app.send(call, body, { as: nobody });
    return envelope.code !== '0000000' && (await logged(call, nobody)) === before + 1 ? null : envelope.code;
  });
});

/** Somebody who may make the call and nothing else, unless the case wishes for somebody. */
async function callerOf(entry: CallCase): Promise<TestStaff | null> {
  if (entry.as === null) return null;
  const staff = await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
  await entry.prepare?.(app, staff);
  return staff;
}

describe.each(allCases)('$call.name', (entry) => {
  it('refuses unknown keys and foreign records, asks for patience when its database is lost, then succeeds within its contract', async () => {
    const as = await callerOf(entry);
    const input = await entry.valid(app, as);
    const own = await entry.headers?.(app);
    const signed = async (body: unknown) =>
      entry.call.access.kind === 'signed' ? { headers: await signedHeaders(app, entry.call, body) } : own ? { headers: own } : {};
    const wrong = { ...(input as object), [SURPLUS]: 1 };
    const surplus = await app.refused(entry.call, wrong, { as, ...(await signed(wrong)) });
    expect(surplus).toMatchObject({ code: 'SCM90020', fields: [{ path: SURPLUS }] });

    if (entry.foreign) {
      const foreign = await entry.foreign(app, as);
      const foreignKey = entry.call.idempotency === 'required' ? { idempotencyKey: 'foreign-record-of-case' } : {};
      expect(await app.refused(entry.call, foreign, { as, ...foreignKey, ...(await signed(foreign)) })).toMatchObject({ code: 'SCM90040' });
    }

    const key = entry.call.kind === 'command' ? { idempotencyKey: 'case-of-the-call-table' } : {};
    const lost = { as, ...key, ...(await signed(input)) };
    const { answer, asked } = await lostUnder(app, entry.call.access.kind, () => app.send(entry.call, input, lost));
    if (asked) expect(answer).toMatchObject({ status: 200, envelope: { code: 'SCM90060', message: '服务暂时不可用，请稍后重试' } });

    const { envelope, headers, file } = await app.send(entry.call, input, { as, ...key, ...(await signed(input)) });
    expect(envelope).toMatchObject({ code: '0000000' });
    keepCanaries(entry.call, input, envelope.data);
    if (as) canaries.set(as.token, 'session');
    if (hasKeys(entry.call)) {
      const before = entry.call.logged === 'REVEAL' || file ? await logged(entry.call, as!) : null;
      const again = await app.send(entry.call, input, { as, ...key, ...(await signed(input)) });
      if (before !== null) {
        // Its own rules may refuse it (a password that is shown once), the log knows of it in any case.
        expect(again.envelope.code, 'a repeat is an act of its own').not.toBe('SCM90050');
        expect(await logged(entry.call, as!)).toBe(before + 1);
      } else if (entry.call.secretOutput) {
        expect(['SCM90050', 'SCM90002'], JSON.stringify(again.envelope)).toContain(again.envelope.code);
      } else {
        expect(again.envelope, 'a repeat answers as the first time').toEqual(envelope);
      }
    }
    if (entry.call.shape === 'list' || entry.call.shape === 'cursor') {
      expect(Number(headers['x-statements'])).toBeLessThanOrEqual(3);
    }
  });
});

it('keeps answers encrypted, and none that is secret', async () => {
  const { rows } = await sql<{ call: string; answer: string | null }>`select call, answer from kernel_idempotency`.execute(app.db);
  expect(rows.length).toBeGreaterThan(100);
  const faults = rows
    .filter(({ call, answer }) => {
      if (cases.get(call)!.call.secretOutput) return answer !== null;
      return answer === null || !/^k[0-9a-f]{8}\.[\w-]+$/.test(answer) || JSON.parse(app.kernel.secrets.decrypt(answer)).code !== '0000000';
    })
    .map(({ call }) => call);
  expect(faults).toEqual([]);
});

it('leaves no secret in clear in any table', async () => {
  const tables = await dumpTables(app.db);
  expect(tables.filter(({ text }) => text !== '').length).toBeGreaterThan(100);
  const found = tables.flatMap(({ table, text }) =>
    [...canaries]
      .filter(([, of]) => !AT_HOME.some(([canary, homes]) => canary.test(of) && homes.includes(table)))
      .filter(([secret]) => stands(text, secret))
      .map(([secret, of]) => `${table}: ${secret} of ${of}`),
  );
  expect(canaries.size).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod/mini';
import type { Call } from '../kernel/contract/call.ts';
import { permissionCodesOf } from '../kernel/server/registry.ts';
import type { CallCase } from './cases.ts';
import { allCases } from './allCases.ts';
import type { TestStaff } from './staff.ts';
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

/** Somebody who may make the call and nothing else, unless the case wishes for somebody. */
async function callerOf(entry: CallCase): Promise<TestStaff | null> {
  if (entry.as === null) return null;
  const staff = await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
  await entry.prepare?.(app, staff);
  return staff;
}

describe.each(allCases)('$call.name', (entry) => {
  it('refuses unknown keys and foreign records, then succeeds within its contract', async () => {
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

    const key = entry.call.idempotency === 'required' ? { idempotencyKey: 'case-of-the-call-table' } : {};
    const { envelope, headers } = await app.send(entry.call, input, { as, ...key, ...(await signed(input)) });
    expect(envelope).toMatchObject({ code: '0000000' });
    if (entry.call.shape === 'list' || entry.call.shape === 'cursor') {
      expect(Number(headers['x-statements'])).toBeLessThanOrEqual(3);
    }
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from '../allCases.ts';
import type { CallCase } from '../cases.ts';
import { dumpTables, stands } from '../dump.ts';
import { lostUnder } from '../lostDatabase.ts';
import { signedHeaders } from '../signing.ts';
import type { TestStaff } from '../staff.ts';
import { startTestApp, type TestApp } from '../testApp.ts';
import { loggedOf, MEDICAL, SECRET_FIELD } from './facts.ts';

const SURPLUS = 'surplusKeyOfTheTest';
const cases = new Map(allCases.map((entry) => [entry.call.name, entry]));

let app: TestApp;

/** Commands of somebody known that run in one transaction: they honour `Idempotency-Key`. */
const hasKeys = (call: Call) =>
  call.access.kind !== 'public' && app.kernel.registry.handlers.some((handler) => handler.call === call && handler.mode === 'command');
/** What a reveal shows of a person; its other fields say whom and what it is about. */
const REVEALED = new Set([...MEDICAL, 'value', 'mobile', 'idNo', 'formerIdNo', 'text']);
/** Where a canary stands in clear by design: `Service.field`, the tables, the reason. */
const AT_HOME: readonly (readonly [canary: RegExp, tables: readonly string[], reason: string])[] = [
  [
    /^(QrCode|SceneCode|WeChatWork)Service\.token$/,
    ['channel_qr_code', 'channel_qr_scan', 'identity_operation_log'],
    'printed on every code',
  ],
  [
    /^Lowcode(Page|Data)Service\.(token|pageToken)$/,
    [
      // The canary of a token may be the name of a table of another call.
      'files_import_task',
      'identity_menu',
      'identity_permission_catalogue',
      'identity_operation_log',
      'identity_route_catalogue',
      'kernel_audit_trail',
      'kernel_outbox',
      'lowcode_page',
      'lowcode_page_version',
      'lowcode_page_view',
    ],
    'the address of a page, which stands in menus and in the browser',
  ],
  [
    /\.leaseToken$/,
    ['doctor_qual_apply', 'enrolment_apply', 'enrolment_other_material', 'order_order'],
    'says who works on an application; without the session of that person it opens nothing',
  ],
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
  const given = leaves(input).filter(({ key }) => SECRET_FIELD.test(key));
  const answered = leaves(answer).filter(({ key }) => SECRET_FIELD.test(key) || (call.logged === 'REVEAL' && REVEALED.has(key)));
  for (const { key, text } of [...given, ...answered]) if (text.length >= 6) canaries.set(text, `${call.service}.${key}`);
}

/** Somebody who may make the call and nothing else, unless the case wishes for somebody. */
async function callerOf(entry: CallCase): Promise<TestStaff | null> {
  if (entry.as === null) return null;
  const staff = await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
  await entry.prepare?.(app, staff);
  return staff;
}

/** The cases of every second call, on a product of their own; two files share them. */
export function tryCases(half: 0 | 1): void {
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  describe.each(allCases.filter((_entry, at) => at % 2 === half))('$call.name', (entry) => {
    it('refuses unknown keys and foreign records, asks for patience when its database is lost, then succeeds within its contract', async () => {
      const as = await callerOf(entry);
      const input = await entry.valid(app, as);
      const own = await entry.headers?.(app);
      const signed = async (body: unknown) =>
        entry.call.access.kind === 'signed'
          ? { headers: await signedHeaders(app, entry.call, body, entry.insurer ? { partyId: await entry.insurer(app) } : {}) }
          : own
            ? { headers: own }
            : {};
      const wrong = { ...(input as object), [SURPLUS]: 1 };
      const surplus = await app.refused(entry.call, wrong, { as, ...(await signed(wrong)) });
      expect(surplus).toMatchObject({ code: 'SCM90020', fields: [{ path: SURPLUS }] });

      if (entry.foreign) {
        const foreign = await entry.foreign(app, as);
        const foreignKey = entry.call.idempotency === 'required' ? { idempotencyKey: 'foreign-record-of-case' } : {};
        expect(await app.refused(entry.call, foreign, { as, ...foreignKey, ...(await signed(foreign)) })).toMatchObject({
          code: 'SCM90040',
        });
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
        const before = entry.call.logged === 'REVEAL' || file ? await loggedOf(app, entry.call, as!) : null;
        const again = await app.send(entry.call, input, { as, ...key, ...(await signed(input)) });
        if (before !== null) {
          // Its own rules may refuse it (a password that is shown once), the log knows of it in any case.
          expect(again.envelope.code, 'a repeat is an act of its own').not.toBe('SCM90050');
          expect(await loggedOf(app, entry.call, as!)).toBe(before + 1);
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
    expect(rows.length).toBeGreaterThan(50);
    const faults = rows
      .filter(({ call, answer }) => {
        if (cases.get(call)!.call.secretOutput) return answer !== null;
        return (
          answer === null || !/^k[0-9a-f]{8}\.[\w-]+$/.test(answer) || JSON.parse(app.kernel.secrets.decrypt(answer)).code !== '0000000'
        );
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
    expect(canaries.size).toBeGreaterThan(150);
    expect(found).toEqual([]);
  });
}

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import { queryHospitalList } from '#domains/institution/contract/hospitalCalls.ts';
import { allCases } from '../allCases.ts';
import type { CallCase } from '../cases.ts';
import { startTestApp, type TestApp } from '../testApp.ts';
import type { TestStaff } from '../staff.ts';
import { loggedOf } from './facts.ts';

/** Writes to one record, with the table whose rows they lock. */
const ONE_RECORD: Readonly<Record<string, string>> = {
  'BannerService/auditBanner': 'content_delivery',
  'ControlService/auditControlRule': 'insurance_control_rule_version',
  'PremiumOrderService/auditPremiumOrder': 'policy_premium_order',
  'InsuredListService/auditInsuredBatch': 'policy_insured_batch',
};
const AT_ONCE = 40;
const READS = 100;
const PATIENCE_MS = 300;
/** Of one record so many commands hold a connection. */
const HOLDING = 3;
const NEVER = ['SCM99999', 'SCM90060'];

let app: TestApp;
let reader: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  reader = await app.staff({ permissions: permissionCodesOf(queryHospitalList) });
});
afterAll(() => app.close());

/** Keeps everybody from the rows of a table until the work is done; they can be read. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const holder = await connectOwner(app.database.address);
  try {
    await holder.query(`begin; lock table ${table} in exclusive mode`);
    await work();
    await holder.query('commit');
  } finally {
    await holder.end();
  }
}

const waiters = async () =>
  (
    await sql<{ waiting: number }>`
      select count(distinct l.pid)::int as waiting from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database()`.execute(app.db)
  ).rows[0]!.waiting;

async function read(): Promise<number> {
  const began = performance.now();
  await app.ok(queryHospitalList, {}, { as: reader });
  return performance.now() - began;
}

async function manyAtOnce({ call, ...entry }: CallCase) {
  const as = await app.staff(entry.as ?? { permissions: permissionCodesOf(call) });
  await entry.prepare?.(app, as);
  const input = await entry.valid(app, as);
  const before = await loggedOf(app, call, as);
  return {
    send: () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, (_none, at) => app.send(call, input, { as, idempotencyKey: `at-once-${at}-${as.userId}` })),
      ),
    logged: async () => (await loggedOf(app, call, as)) - before,
  };
}

describe.each(allCases.filter(({ call }) => call.name in ONE_RECORD))('$call.name, forty times at once on one record', (entry) => {
  const table = ONE_RECORD[entry.call.name]!;

  it('leaves others their answers in time, and each refused one its row', async () => {
    const many = await manyAtOnce(entry);
    let sent: ReturnType<typeof many.send> | null = null;
    await whileLocked(table, async () => {
      sent = many.send();
      await expect.poll(waiters, { timeout: 10_000 }).toBe(HOLDING);
      const times: number[] = [];
      for (let at = 0; at < READS; at += 1) times.push(await read());
      expect(await waiters()).toBe(HOLDING);
      expect(times.toSorted((a, b) => a - b)[Math.floor(READS * 0.99) - 1]).toBeLessThan(PATIENCE_MS);
    });
    const codes = (await sent!).map(({ envelope }) => envelope.code);
    expect(codes.filter((code) => code === SUCCESS)).toHaveLength(1);
    expect(codes.filter((code) => NEVER.includes(code))).toEqual([]);
    expect(await many.logged()).toBe(AT_ONCE);
  });
});

describe('a record that somebody holds for longer than anybody waits', () => {
  it('is answered as busy to all, and each has its row', async () => {
    const entry = allCases.find(({ call }) => call.name === 'BannerService/auditBanner')!;
    const many = await manyAtOnce(entry);
    await whileLocked(ONE_RECORD[entry.call.name]!, async () => {
      const answers = await many.send();
      expect(new Set(answers.map(({ envelope }) => `${envelope.code} ${envelope.message}`))).toEqual(
        new Set(['SCM90061 该记录正在被他人处理，请稍后重试']),
      );
      expect(await many.logged()).toBe(AT_ONCE);
    });
  });
});

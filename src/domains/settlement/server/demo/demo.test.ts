import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { findFaults } from '../invariants.ts';
import { acting } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

const states = async (table: string, column: string): Promise<string[]> => {
  const { rows } = await sql<{ code: string }>`select distinct ${sql.ref(column)} as code from ${sql.table(table)} order by 1`.execute(
    app.db,
  );
  return rows.map(({ code }) => code);
};
const broken = async (query: ReturnType<typeof sql<{ n: number }>>): Promise<number> => (await query.execute(app.db)).rows[0]!.n;

describe('the demonstration of settlement', () => {
  it('has rules, incomes, accounts, bills and payments in their states', async () => {
    expect(await states('settlement_rule_version', 'status')).toEqual(['DRAFT', 'PENDING_AUDIT', 'PUBLISHED', 'REJECTED', 'RETIRED']);
    expect(await states('settlement_income', 'status')).toEqual(['AVAILABLE', 'HELD', 'LOCKED', 'PENDING', 'REVERSED', 'SETTLED']);
    expect(await states('settlement_account', 'verify_status')).toEqual(['FAILED', 'UNVERIFIED', 'VERIFIED']);
    expect(await states('settlement_bill', 'status')).toEqual(
      expect.arrayContaining(['APPROVED', 'CALCULATED', 'HELD', 'PAID', 'REJECTED', 'SUBMITTED', 'VOIDED']),
    );
    expect(await states('settlement_payout_item', 'status')).toEqual(expect.arrayContaining(['SUCCESS']));
    expect(await states('settlement_tax_month', 'status')).toEqual(['DECLARED', 'OPEN']);
    expect(await states('settlement_period', 'status')).toEqual(['CLOSED']);
    expect(await broken(sql<{ n: number }>`select count(*)::int as n from settlement_income`)).toBeGreaterThan(200);
  });

  it('adds up: bills are their incomes, batches their rows, tax its records, and the book proves itself', async () => {
    expect(
      await broken(sql<{ n: number }>`
        select count(*)::int as n
          from settlement_bill b
          where b.status <> 'VOIDED'
            and b.gross_fen <> (select coalesce(sum(i.gross_fen), 0) from settlement_income i where i.bill_id = b.id)`),
    ).toBe(0);
    expect(
      await broken(sql<{ n: number }>`
        select count(*)::int as n
          from settlement_payout_batch b
          where b.net_fen <> (
            select coalesce(sum(i.net_fen), 0) from settlement_payout_item i where i.batch_id = b.id and i.status <> 'CANCELLED'
          )`),
    ).toBe(0);
    expect(
      await broken(sql<{ n: number }>`
        select (coalesce((
          select sum(b.credit_total_fen - b.debit_total_fen)
            from ledger_account a
            join ledger_balance b on b.account_id = a.id
            where a.account_type = 'DR_TAX_PAYABLE'
        ), 0) - (select coalesce(sum(tax_fen), 0) from settlement_tax_record)
          + (select coalesce(sum(declared_fen), 0) from settlement_tax_month))::int as n`),
    ).toBe(0);
    expect(await acting(app, (ctx) => ledgerOf(app.kernel).prove(ctx, 'DOCTOR', 'MANUAL'))).toMatchObject({ status: 'PASSED' });
  });

  it('keeps what must hold of incomes, bills, payments, taxes and the books', async () => {
    expect(await acting(app, (ctx) => findFaults(ctx.tx, ledgerOf(app.kernel), ctx.now))).toEqual([]);
  });

  it('leaves each doctor what the books say that he is owed', async () => {
    expect(
      await broken(sql<{ n: number }>`
        select count(*)::int as n
          from settlement_doctor d
          where d.unsettled_fen <> (
            select coalesce(sum(i.gross_fen), 0)
              from settlement_income i
              where i.doctor_id = d.doctor_id and i.status not in ('REVERSED', 'SETTLED') and i.waits_for is null
          )`),
    ).toBe(0);
  });

  it('has a table of bindings with wrong rows, and one that waits to be committed', async () => {
    await app.runDue();
    const { rows } = await sql<{ state: string; total: number; wrong: number }>`
      select state, total_rows as total, error_rows as wrong
        from files_import_task
        where importer_code = 'settlement.perfBind'
        order by id`.execute(app.db);
    expect(rows).toEqual([
      { state: 'INVALID', total: 9, wrong: 3 },
      { state: 'READY', total: 16, wrong: 0 },
    ]);
  });

  it('gives representatives their doctors, a request of every state, and locked months', async () => {
    const counted = (statement: string) => broken(sql<{ n: number }>`${sql.raw(statement)}`);
    expect(await counted('select count(*)::int as n from settlement_perf_relation where not revoked')).toBeGreaterThan(100);
    expect(await counted('select count(distinct status)::int as n from settlement_perf_change')).toBe(7);
    expect(await counted(`select count(*)::int as n from settlement_perf_period where status = 'LOCKED'`)).toBe(4);
    expect(await counted('select count(*)::int as n from settlement_income where agent_id is not null')).toBeGreaterThan(0);
    expect(
      await counted(`
        select count(*)::int as n
          from settlement_income i
          left join settlement_perf_relation r
            on r.doctor_id = i.doctor_id and r.product_line_id = i.product_line_id and not r.revoked
              and r.start_date <= (i.occurred_at at time zone 'Asia/Shanghai')::date
              and (r.end_date is null or r.end_date > (i.occurred_at at time zone 'Asia/Shanghai')::date)
          where i.perf_relation_id is distinct from r.id`),
    ).toBe(0);
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { grantMachine } from '../../contract/grantStates.ts';
import { cardMachine } from '../../contract/states.ts';
import { batchMachine } from '../../contract/typeDictionaries.ts';
import { billMachine, settlementBatchMachine, writeOffMachine } from '../../contract/useStates.ts';
import { matchStates } from '../../contract/useDictionaries.ts';
import { lookAll } from '../findings/invariants.ts';
import { inTransaction } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

const counts = async (table: string, column: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ code: string; n: number }>`
    select ${sql.ref(column)} as code, count(*)::int as n from ${sql.table(table)} group by 1`.execute(app.db);
  return Object.fromEntries(rows.map(({ code, n }) => [code, n]));
};
const missing = (found: Record<string, number>, machine: { states: object }, least: number): string[] =>
  Object.keys(machine.states).filter((code) => (found[code] ?? 0) < least);

describe('the demonstration of cards', () => {
  it('has something in every state, and lists that are longer than a page', async () => {
    expect(missing(await counts('card_card', 'state'), cardMachine, 20)).toEqual([]);
    expect(missing(await counts('card_batch', 'status'), batchMachine, 2)).toEqual([]);
    expect(missing(await counts('card_grant', 'status'), grantMachine, 1)).toEqual([]);
    expect(missing(await counts('card_write_off', 'state'), writeOffMachine, 20)).toEqual([]);
    expect(await counts('card_reversal', 'status')).toEqual({ DONE: 135, PENDING: 5 });
    const { rows: late } = await sql<{ n: number }>`
      select count(*)::int as n
        from card_reversal r
        join card_write_off w on w.id = r.write_off_id
        join card_settlement_line l on l.source_type = 'WRITE_OFF' and l.source_id = w.id and l.direction = 'PAYABLE' and l.live
        join card_settlement_bill b on b.id = l.bill_id
        join card_settlement_batch s on s.id = b.batch_id
        where r.done_at > s.created_at`.execute(app.db);
    expect(late[0]!.n).toBeGreaterThanOrEqual(20);
    expect(missing(await counts('card_settlement_bill', 'status'), billMachine, 2)).toEqual([]);
    expect(missing(await counts('card_settlement_batch', 'status'), settlementBatchMachine, 1)).toEqual(['GENERATING']);
    expect(Object.keys(await counts('card_settlement_line', 'match_state')).toSorted()).toEqual(matchStates.codes.toSorted());
    // Thirty of their own; orders hold some too.
    expect((await counts('card_hold', 'state'))['HELD']).toBeGreaterThanOrEqual(30);
    const { rows } = await sql<{ name: string; n: number }>`
      select 'types' as name, count(*)::int as n
        from card_type
      union all
      select 'cards', count(*)::int
        from card_card
      union all
      select 'lines', count(*)::int
        from card_grant_line
      union all
      select 'writeOffs', count(*)::int
        from card_write_off
      union all
      select 'prepays', count(*)::int
        from card_fund_prepay
      union all
      select 'batches', count(*)::int
        from card_settlement_batch`.execute(app.db);
    const many = Object.fromEntries(rows.map(({ name, n }) => [name, n]));
    expect(many.types).toBe(12);
    expect(many.cards).toBeGreaterThan(3_500);
    expect(many.lines).toBeGreaterThan(800);
    expect(many.writeOffs).toBeGreaterThan(1_500);
    expect(many.prepays).toBeGreaterThan(20);
    expect(many.batches).toBeGreaterThan(20);
  });

  it('stands in the books to the fen: what must hold holds, but for the one card whose row is stale', async () => {
    const ledger = ledgerOf(app.kernel);
    expect(await inTransaction(app, ({ tx, now }) => lookAll({ tx, now }, ledger, []))).toMatchObject({ found: 1 });
    const { rows: stale } = await sql`select invariant_code, subject_type from card_finding where status = 'OPEN'`.execute(app.db);
    expect(stale).toEqual([{ invariantCode: 'I9', subjectType: 'card' }]);
    const { rows: trial } = await sql<{ fen: string }>`
      select sum(b.debit_total_fen - b.credit_total_fen)::text as fen
        from ledger_account a
        join ledger_balance b on b.account_id = a.id
        where a.book = 'CARD'`.execute(app.db);
    expect(trial).toEqual([{ fen: '0' }]);
    const proof = await inTransaction(app, (use) => ledger.prove(use, 'CARD', 'MANUAL'));
    expect(proof).toMatchObject({ status: 'PASSED' });
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusMs } from '#kernel/contract/time.ts';
import { periodAfter, periodBefore } from './periods.ts';
import { accrue, doctor, MAKER, openBank, openCard, openDoctors, pay, principal, topUp, type Bank } from '../testing/bank.ts';

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

const post = (command: Parameters<Bank['ledger']['post']>[1]) => bank.inTransaction((posting) => bank.ledger.post(posting, command));
const startClose = (period: string) => bank.inTransaction((posting) => bank.ledger.startClose(posting, 'DOCTOR', period));
const finishClose = (period: string) => bank.inTransaction((posting) => bank.ledger.finishClose(posting, 'DOCTOR', period, MAKER));
const findings = async () =>
  (
    await sql<{ code: string; status: string }>`select finding_code as code, status from ledger_finding order by id`.execute(
      bank.database.db,
    )
  ).rows.map(({ code, status }) => `${code} ${status}`);

it('periods follow one another over the year', () => {
  expect([periodBefore('2026-01'), periodAfter('2026-12'), periodBefore('2026-11'), periodAfter('2026-09')]).toEqual([
    '2025-12',
    '2027-01',
    '2026-10',
    '2026-10',
  ]);
});

describe('a period', () => {
  it('that is being closed waits for the posting under way and includes it; nothing is posted in it after', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    let closing: Promise<unknown> = Promise.resolve();
    await bank.inTransaction(async (posting) => {
      await bank.ledger.post(posting, accrue(one, 700n));
      closing = bank.elsewhere((other) => bank.ledger.startClose(other, 'DOCTOR', '2026-11'));
      const blocked = sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`;
      await expect.poll(async () => (await blocked.execute(bank.database.db)).rows[0]!.n).toBeGreaterThan(0);
    });
    await closing;
    await expect(post(accrue(one, 1n))).rejects.toMatchObject({ code: 'SCM18030', message: '会计期间2026-11已结账，请使用当前期间' });
    await expect(startClose('2026-12')).rejects.toMatchObject({ code: 'SCM18031', message: '上一期间2026-11尚未结账' });
    await bank.inTransaction((posting) => bank.ledger.abortClose(posting, 'DOCTOR', '2026-11'));
    await post(accrue(one, 300n));
    await startClose('2026-11');
    await finishClose('2026-11');
    const { rows } = await sql<{ closing: string }>`
      select p.closing_fen as closing
        from ledger_period_balance p
        join ledger_account a on a.id = p.account_id
        where a.owner_id = ${one} and a.account_type = 'DR_PAYABLE'`.execute(bank.database.db);
    expect(rows).toEqual([{ closing: '1000' }]);
    await expect(post(accrue(one, 1n))).rejects.toMatchObject({ code: 'SCM18030' });
    bank.now = plusMs(bank.now, days(10));
    await post(pay(one, 400n));
    await expect(bank.inTransaction((posting) => bank.ledger.reopen(posting, 'DOCTOR', '2026-12'))).rejects.toMatchObject({
      code: 'SCM90031',
    });
  });

  it('is closed again after it was opened again, unless the next one is closed', async () => {
    await bank.inTransaction((posting) => bank.ledger.openPeriods(posting, '2027-01-05'));
    await startClose('2026-12');
    await finishClose('2026-12');
    await expect(bank.inTransaction((posting) => bank.ledger.reopen(posting, 'DOCTOR', '2026-11'))).rejects.toMatchObject({
      code: 'SCM18033',
    });
    await bank.inTransaction((posting) => bank.ledger.reopen(posting, 'DOCTOR', '2026-12'));
    await startClose('2026-12');
    await finishClose('2026-12');
    expect(bank.published.filter(({ name }) => name.startsWith('ledger.period')).map(({ name }) => name)).toEqual([
      'ledger.period.closed',
      'ledger.period.closed',
      'ledger.period.reopened',
      'ledger.period.closed',
    ]);
  });

  it('is not closed over a difference; the balance is rebuilt from the entries, and it closes', async () => {
    bank.now = '2027-01-10T02:00:00.000Z';
    const [one = ''] = await openDoctors(bank, 1);
    await post(accrue(one, 900n));
    await bank.database.asOwner(
      `
        update ledger_balance
          set credit_total_fen = 1000
          where account_id = (select id from ledger_account where owner_id = '${one}' and account_type = 'DR_PAYABLE')`,
    );
    await startClose('2027-01');
    await expect(finishClose('2027-01')).rejects.toMatchObject({ code: 'SCM18032' });
    const proof = await bank.inTransaction((posting) => bank.ledger.prove(posting, 'DOCTOR', 'MANUAL'));
    expect(proof).toMatchObject({ status: 'FAILED', findings: 1 });
    expect(await findings()).toEqual(['P5 OPEN']);
    expect(await bank.ledger.openFindings(bank.database.db, 'DOCTOR')).toMatchObject([{ findingCode: 'P5', status: 'OPEN' }]);
    expect(await bank.ledger.openFindings(bank.database.db, 'CARD')).toEqual([]);
    const { rows } = await sql<{ id: string }>`select account_id as id from ledger_finding`.execute(bank.database.db);
    await bank.inTransaction(({ tx }) => bank.ledger.rebuildBalance(tx, rows[0]!.id));
    expect((await bank.ledger.balance(bank.database.db, doctor(one), bank.now)).posted).toBe(900n);
    await finishClose('2027-01');
    expect(await findings()).toEqual(['P5 RESOLVED']);
    expect(await bank.ledger.openFindings(bank.database.db, 'DOCTOR')).toEqual([]);
  });

  it('knows what was posted at a moment of the past', async () => {
    bank.now = '2027-02-10T02:00:00.000Z';
    const [one = ''] = await openDoctors(bank, 1);
    await post(accrue(one, 500n));
    const then = bank.now;
    bank.now = plusMs(bank.now, days(1));
    await post(pay(one, 200n));
    expect(await bank.ledger.postedAt(bank.database.db, doctor(one), then)).toBe(500n);
    expect(await bank.ledger.postedAt(bank.database.db, doctor(one), bank.now)).toBe(300n);
    await expect(bank.ledger.postedAt(bank.database.db, doctor('none'), then)).rejects.toMatchObject({ code: 'SCM18004' });
  });
});

it('a month says what it moved, by account type and owner, both sides alike', async () => {
  bank.now = '2027-02-28T15:59:00.000Z';
  const [one = '', other = ''] = await openDoctors(bank, 2);
  const moved = async (period: string) =>
    (await bank.ledger.turnoverOf(bank.database.db, 'DOCTOR', period)).filter(({ ownerId }) => [one, other].includes(ownerId));
  await post(accrue(one, 500n));
  await post(accrue(one, 200n));
  await post(accrue(other, 300n));
  await post(pay(one, 250n));
  // One minute later it is March.
  bank.now = plusMs(bank.now, 60_000);
  await bank.inTransaction((posting) => bank.ledger.openPeriods(posting, '2027-03-01'));
  await post(accrue(other, 40n));
  expect(await moved('2027-02')).toMatchObject([
    { accountType: 'DR_PAYABLE', ownerType: 'doctor', ownerId: one, sub: '', debit: 250n, credit: 700n },
    { accountType: 'DR_PAYABLE', ownerType: 'doctor', ownerId: other, debit: 0n, credit: 300n },
  ]);
  expect(await moved('2027-03')).toMatchObject([{ ownerId: other, debit: 0n, credit: 40n }]);
  expect(await moved('2027-01')).toEqual([]);
  const all = await bank.ledger.turnoverOf(bank.database.db, 'DOCTOR', '2027-02');
  const sum = (side: 'debit' | 'credit') => all.reduce((total, row) => total + row[side], 0n);
  expect(sum('debit')).toBe(sum('credit'));
  bank.now = '2027-02-12T02:00:00.000Z';
});

describe('a proof', () => {
  it('finds every kind of difference, and that its own chain was broken', async () => {
    bank.now = '2027-02-12T02:00:00.000Z';
    const [one = '', other = '', third = ''] = await openDoctors(bank, 3);
    const [, , posted] = await bank.inTransaction((posting) =>
      bank.ledger.postMany(posting, [accrue(one, 100n), accrue(other, 100n), accrue(third, 100n)]),
    );
    await bank.inTransaction((posting) =>
      bank.ledger.reverse(posting, { transfer: posted!.transferId, businessKey: 'test:proof:reverse', reason: '试验', actor: MAKER }),
    );
    const card = await openCard(bank);
    await post(topUp(principal(card), 500n, { refType: 'grant', refId: 'proof', expiresAt: null }));
    const account = (id: string) => `(select id from ledger_account where owner_id = '${id}' and account_type = 'DR_PAYABLE')`;
    // What nobody can do through the product: the guards are put aside.
    await bank.database.asOwner(`
      set session_replication_role = replica;
      update ledger_entry set amount_fen = 90 where account_id = ${account(one)};
      update ledger_balance set held_fen = 10 where account_id = ${account(other)};
      alter table ledger_balance drop constraint ledger_balance_floor;
      update ledger_balance set debit_total_fen = debit_total_fen + 1 where account_id = ${account(third)};
      update ledger_entry set amount_fen = 90 where transfer_id = ${posted!.transferId};
      update ledger_lot set remaining_fen = 499 where ref_id = 'proof';
      update ledger_period_balance set debit_fen = debit_fen + 1 where book = 'DOCTOR' and period = '2026-12'
         and account_id = (select max(account_id) from ledger_period_balance where book = 'DOCTOR' and period = '2026-12');
      update ledger_proof set digest = repeat('0', 64) where id = (select max(id) - 1 from ledger_proof where book = 'DOCTOR');`);
    const { findings: n } = await bank.inTransaction((posting) => bank.ledger.prove(posting, 'DOCTOR', 'NIGHTLY'));
    await bank.inTransaction((posting) => bank.ledger.prove(posting, 'CARD', 'NIGHTLY'));
    const { rows } = await sql<{
      code: string;
    }>`select distinct finding_code as code from ledger_finding where status = 'OPEN' order by 1`.execute(bank.database.db);
    expect(rows.map(({ code }) => code)).toEqual(['P1', 'P10', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P9']);
    expect(n).toBeGreaterThanOrEqual(6);
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  addLedgerAdjustment,
  cancelLedgerAdjustment,
  modifyLedgerAdjustment,
  queryLedgerAdjustmentDetail,
  queryLedgerAdjustmentList,
  submitLedgerAdjustment,
} from '../contract/calls/adjustments.ts';
import {
  exportLedgerAccountList,
  freezeLedgerAccount,
  queryLedgerAccountDetail,
  queryLedgerAccountList,
  queryLedgerAccountTotal,
  queryLedgerChart,
  revealLedgerOwnerName,
  unfreezeLedgerAccount,
} from '../contract/calls/accounts.ts';
import { queryLedgerEntryList, queryLedgerTransferDetail } from '../contract/calls/entries.ts';
import { queryLedgerHoldList, queryLedgerLotList } from '../contract/calls/holds.ts';
import {
  assignLedgerFinding,
  explainLedgerFinding,
  queryLedgerBookState,
  queryLedgerFindingList,
  queryLedgerPeriodList,
  queryLedgerProofList,
  queryTrialBalance,
  rebuildLedgerProjection,
  resolveLedgerFinding,
  runLedgerProof,
} from '../contract/calls/proofs.ts';
import { ADJUST_FILES } from './adjustments/access.ts';
import { writeBooks, openMonths } from './demo/writeBooks.ts';
import {
  breakBalance,
  checker,
  decide,
  facts,
  makeDraft,
  makeFinding,
  makePending,
  makePosted,
  maker,
  refusedDecision,
  second,
} from './testing/adjusting.ts';
import { MAKER } from './testing/bank.ts';
import { inTransaction, ledgerIn, makeBooked, makeFunded, makeHeld, makeShop } from './testing/funded.ts';

const CARD = 'ledger.book.card';
const book = 'CARD' as const;

let app: TestApp;
let viewer: TestStaff;
let outsider: TestStaff;
let prover: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  await ledgerIn(app);
  viewer = await app.staff({ permissions: ['ledger.account.view', CARD] });
  outsider = await app.staff({ permissions: ['ledger.account.view', 'ledger.proof.view', 'ledger.book.doctor'] });
  prover = await app.staff({ permissions: ['ledger.proof.view', 'ledger.proof.manage', 'ledger.account.view', CARD] });
});
afterAll(() => app.close());

describe('a book', () => {
  it('is neither listed nor read by who may not see it', async () => {
    const { accountNo, transfer } = await makeHeld(app);
    const none = { code: 'SCM90010', message: '没有权限：储值与权益次数账簿范围' };
    for (const call of [queryLedgerAccountList, queryLedgerEntryList, queryLedgerHoldList, queryLedgerLotList, queryLedgerAccountTotal])
      expect(await app.refused(call, { book }, { as: outsider })).toMatchObject(none);
    expect(await app.refused(queryLedgerAccountDetail, { accountNo }, { as: outsider })).toMatchObject(none);
    expect(await app.refused(queryLedgerTransferDetail, { transferNo: transfer.transferNo }, { as: outsider })).toMatchObject(none);
    expect(await app.refused(exportLedgerAccountList, { book }, { as: outsider })).toMatchObject(none);
    expect(await app.refused(queryTrialBalance, { book, period: '2026-11' }, { as: outsider })).toMatchObject(none);
    expect((await app.ok(queryLedgerChart, {}, { as: outsider })).map((one) => one.book)).not.toContain(book);
  });

  it('shows balances, entries, lots and holds of one account, with the names of persons masked', async () => {
    const { accountNo, transfer, holdNo } = await makeHeld(app);
    const { rows } = await app.ok(queryLedgerAccountList, { book, accountNos: [accountNo] }, { as: viewer });
    expect(rows).toMatchObject([
      { accountNo, postedFen: '20000', heldFen: '6000', availableFen: '14000', spendableFen: '14000', status: 'OPEN' },
    ]);
    expect(await app.ok(queryLedgerAccountTotal, { book, accountNos: [accountNo] }, { as: viewer })).toEqual({
      debitFen: '0',
      creditFen: '20000',
      heldFen: '6000',
    });
    const detail = await app.ok(queryLedgerAccountDetail, { accountNo }, { as: viewer });
    expect(detail).toMatchObject({ openHolds: 1, lots: { count: 1, remainingFen: '20000', expiredFen: '0' } });
    expect(detail.entries).toMatchObject([
      { transferNo: transfer.transferNo, creditFen: '20000', debitFen: null, balanceAfterFen: '20000' },
    ]);
    const holds = await app.ok(queryLedgerHoldList, { book, accountNos: [accountNo] }, { as: viewer });
    expect(holds.rows).toMatchObject([{ holdNo, leftFen: '6000', status: 'PENDING', partly: false }]);
    const lots = await app.ok(queryLedgerLotList, { book, accountNos: [accountNo] }, { as: viewer });
    expect(lots.rows).toMatchObject([{ remainingFen: '20000', heldFen: '6000', lastDay: '2027-11-30' }]);
    const voucher = await app.ok(queryLedgerTransferDetail, { transferNo: transfer.transferNo }, { as: viewer });
    expect(voucher.entries.map(({ side, amountFen }) => [side, amountFen])).toEqual([
      ['D', '20000'],
      ['C', '20000'],
    ]);
    expect(voucher.lots).toMatchObject([{ accountNo, kind: '入账', amountFen: '20000' }]);
  });

  it('masks persons by their account type; the name is revealed with a reason', async () => {
    const { accountNo, ledger } = await makeFunded(app);
    const type = ledger.chart.accountTypesOf(book).find(({ name }) => name === 'CARD_PRINCIPAL')!;
    const { rows } = await app.ok(queryLedgerAccountList, { book, accountNo }, { as: viewer });
    expect(rows[0]).toMatchObject(type.personal ? { ownerName: '王**', ownerMasked: true } : { ownerName: '王建国', ownerMasked: false });
    const reveals = await app.staff({ permissions: ['ledger.owner.reveal', CARD] });
    expect(await app.refused(revealLedgerOwnerName, { accountNo, reason: '' }, { as: reveals })).toMatchObject({ code: 'SCM90020' });
    expect(await app.ok(revealLedgerOwnerName, { accountNo, reason: '持卡人来电核对' }, { as: reveals })).toEqual({ ownerName: '王建国' });
  });

  it('is frozen by hand and opened by somebody else', async () => {
    const { accountNo, ledger, account } = await makeFunded(app);
    const freezing = { permissions: ['ledger.account.freeze', CARD] };
    const [one, other] = [await app.staff(freezing), await app.staff(freezing)];
    const frozen = await app.ok(freezeLedgerAccount, { accountNo, version: 1, opinion: '疑似盗刷，先冻结' }, { as: one });
    expect(frozen).toMatchObject({ status: 'FROZEN', version: 2, allowedActions: ['unfreeze'] });
    expect(await app.refused(freezeLedgerAccount, { accountNo, version: 1, opinion: '再次冻结' }, { as: other })).toMatchObject({
      code: 'SCM90030',
    });
    expect(await app.refused(freezeLedgerAccount, { accountNo, version: 2, opinion: '再次冻结' }, { as: other })).toMatchObject({
      code: 'SCM90031',
    });
    expect(await app.refused(unfreezeLedgerAccount, { accountNo, version: 2, opinion: '核查完毕' }, { as: one })).toMatchObject({
      code: 'SCM18051',
    });
    const spend = inTransaction(app, (posting) =>
      ledger.hold(posting, {
        businessKey: `test:frozen:${accountNo}`,
        book,
        legs: [{ account, amount: 1n }],
        expiresAt: null,
        ref: { type: 'test', id: accountNo },
        actor: MAKER,
      }),
    );
    await expect(spend).rejects.toMatchObject({ code: 'SCM18002' });
    expect(await app.ok(unfreezeLedgerAccount, { accountNo, version: 2, opinion: '核查完毕' }, { as: other })).toMatchObject({
      status: 'OPEN',
    });
  });

  it('frees a hold when its time is over, and tells it', async () => {
    const { ledger, account, accountNo } = await makeFunded(app);
    await inTransaction(app, (posting) =>
      ledger.hold(posting, {
        businessKey: `test:timed:${accountNo}`,
        book,
        legs: [{ account, amount: 3_000n }],
        expiresAt: plusMs(posting.now, minutes(10)),
        ref: { type: 'test', id: accountNo },
        actor: MAKER,
      }),
    );
    await app.advance(minutes(12));
    const { rows } = await app.ok(queryLedgerHoldList, { book, accountNos: [accountNo] }, { as: viewer });
    expect(rows).toMatchObject([{ status: 'TIMED_OUT', releasedFen: '3000', releaseReason: '超时' }]);
    const { rows: told } = await sql<{ n: number }>`
      select count(*)::int as n from kernel_outbox where name = 'ledger.hold.timedOut' and payload ->> 'refId' = ${accountNo}`.execute(
      app.db,
    );
    expect(told).toEqual([{ n: 1 }]);
  });
});

describe('an adjustment', () => {
  it('says what is wrong with it before anybody checks it', async () => {
    const as = await maker(app);
    const booked = await makeBooked(app);
    const good = facts(booked);
    const [leg] = good.legs;
    expect(await app.refused(addLedgerAdjustment, { ...good, reason: '太短' }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(addLedgerAdjustment, { ...good, legs: [leg!] }, { as })).toMatchObject({ code: 'SCM90020' });
    expect(
      await app.refused(addLedgerAdjustment, { ...good, legs: [leg!, { ...leg!, accountNo: 'LAC9999999999' }] }, { as }),
    ).toMatchObject({ code: 'SCM18004' });
    const noFile = await app.ok(addLedgerAdjustment, good, { as });
    expect(await app.refused(submitLedgerAdjustment, { id: noFile.id, version: 1 }, { as })).toMatchObject({ code: 'SCM18052' });
    const odd = await app.ok(addLedgerAdjustment, { ...good, legs: [leg!, { ...good.legs[1]!, amountFen: 499 }] }, { as });
    expect(await app.refused(submitLedgerAdjustment, { id: odd.id, version: 1 }, { as })).toMatchObject({
      code: 'SCM18005',
      message: '借贷不平：借方5.00元，贷方4.99元',
    });
    const other = await maker(app);
    expect(await app.refused(submitLedgerAdjustment, { id: odd.id, version: 1 }, { as: other })).toMatchObject({ code: 'SCM90010' });
    const file = await uploadPaper(app, as, ADJUST_FILES);
    const mended = await app.ok(modifyLedgerAdjustment, { ...facts(booked, 500, [file]), id: odd.id, version: 1 }, { as });
    expect(await app.ok(submitLedgerAdjustment, { id: odd.id, version: mended.version }, { as })).toMatchObject({ version: 3 });
  });

  it('is confirmed by somebody else, and posted under the name of who made it', async () => {
    const both = await app.staff({ permissions: ['ledger.adjust.make', 'ledger.adjust.check', 'ledger.account.view', CARD] });
    const pending = await makePending(app, both);
    expect(await refusedDecision(app, both, pending)).toMatchObject({ code: 'SCM18050', message: '制单人不能复核本人提交的调账' });
    const as = await checker(app);
    expect(await refusedDecision(app, as, pending, { opinion: '' })).toMatchObject({ code: 'SCM90020' });
    const before = await app.ok(queryLedgerAdjustmentDetail, { id: pending.id }, { as });
    expect(before.adjustment.allowedActions).toEqual(['approve', 'reject']);
    expect(before.legs.map(({ beforeFen, afterFen }) => BigInt(afterFen) - BigInt(beforeFen))).toEqual([-500n, -500n]);
    expect(before.attachments).toHaveLength(1);
    const posted = await decide(app, as, pending);
    expect(await refusedDecision(app, as, posted)).toMatchObject({ code: 'SCM90031' });
    const { adjustment, trail } = await app.ok(queryLedgerAdjustmentDetail, { id: pending.id }, { as });
    expect(adjustment).toMatchObject({ status: 'POSTED', checkerName: as.displayName, allowedActions: [] });
    expect(trail.map(({ action }) => action)).toEqual(['submit', 'approve']);
    const voucher = await app.ok(queryLedgerTransferDetail, { transferNo: adjustment.transferNo! }, { as });
    expect(voucher).toMatchObject({ label: '调账', refNo: pending.adjustNo, operatorName: both.displayName, totalFen: '500' });
    expect(voucher.lots).toEqual([]);
  });

  it('of 10,000 yuan waits for a third person', async () => {
    const pending = await makePending(app, await maker(app), 1_000_000);
    const first = await app.staff({ permissions: ['ledger.adjust.check', 'ledger.adjust.check2', 'ledger.account.view', CARD] });
    const forwarded = await decide(app, first, pending);
    const { rows } = await app.ok(queryLedgerAdjustmentList, { book, adjustNo: pending.adjustNo }, { as: first });
    expect(rows).toMatchObject([{ status: 'PENDING_SECOND', allowedActions: [], transferNo: null }]);
    expect(await refusedDecision(app, first, forwarded)).toMatchObject({ code: 'SCM18050' });
    expect(await refusedDecision(app, await checker(app), forwarded)).toMatchObject({ code: 'SCM90010' });
    await decide(app, await second(app), forwarded);
    expect((await app.ok(queryLedgerAdjustmentList, { book, adjustNo: pending.adjustNo }, { as: first })).rows).toMatchObject([
      { status: 'POSTED' },
    ]);
  });

  it('that the ledger refuses stays as it was', async () => {
    const booked = await makeBooked(app, 400n);
    const as = await maker(app);
    const draft = await makeDraft(app, as, 500, booked);
    const pending = { ...draft, ...(await app.ok(submitLedgerAdjustment, { id: draft.id, version: 1 }, { as })) };
    const checks = await checker(app);
    expect(await refusedDecision(app, checks, pending)).toMatchObject({
      code: 'SCM18001',
      message: '账户可用余额不足：需要5.00元，可用4.00元',
    });
    const { adjustment } = await app.ok(queryLedgerAdjustmentDetail, { id: draft.id }, { as: checks });
    expect(adjustment).toMatchObject({ status: 'PENDING', version: 2 });
  });

  it('moves no account of which its owner keeps lots or rows, as written and as confirmed', async () => {
    const as = await maker(app);
    const [card, booked] = [await makeFunded(app), await makeBooked(app)];
    const { account: shop } = await makeShop(app);
    const before = await app.ok(queryLedgerAccountDetail, { accountNo: card.accountNo }, { as: viewer });
    for (const accountNo of [card.accountNo, shop])
      expect(await app.refused(addLedgerAdjustment, facts({ accountNo, cashNo: card.cashNo }), { as })).toMatchObject({
        code: 'SCM18053',
        message: `账户${accountNo}由所属业务维护资金批和余额，不能手工调账，请在业务页面办理`,
      });
    const draft = await makeDraft(app, as, 500, booked);
    expect(await app.refused(modifyLedgerAdjustment, { ...facts(card), id: draft.id, version: draft.version }, { as })).toMatchObject({
      code: 'SCM18053',
    });
    // One that was handed in before its account was kept is not posted either.
    const pending = { ...draft, ...(await app.ok(submitLedgerAdjustment, { id: draft.id, version: draft.version }, { as })) };
    await app.database.asOwner(
      `update ledger_adjustment set legs = replace(legs::text, '${booked.accountNo}', '${card.accountNo}')::jsonb where id = ${draft.id}`,
    );
    expect(await refusedDecision(app, await checker(app), pending)).toMatchObject({ code: 'SCM18053' });
    expect(await app.ok(queryLedgerAccountDetail, { accountNo: card.accountNo }, { as: viewer })).toEqual(before);
    const found = async (accountNo: string) =>
      (await app.ok(queryLedgerAccountList, { book, accountNos: [accountNo], adjustable: true }, { as: viewer })).rows;
    expect(await found(booked.accountNo)).toMatchObject([{ adjustable: true }]);
    expect(await found(card.accountNo)).toEqual([]);
    expect(await found(shop)).toEqual([]);
  });

  it('is rejected, corrected and handed in again, or taken back by who made it', async () => {
    const as = await maker(app);
    const pending = await makePending(app, as);
    const rejected = await decide(app, await checker(app), pending, { decision: 'REJECT', opinion: '金额与回单不符' });
    const again = await app.ok(submitLedgerAdjustment, { id: pending.id, version: rejected.version }, { as });
    expect(await app.refused(cancelLedgerAdjustment, { id: pending.id, version: again.version }, { as: await maker(app) })).toMatchObject({
      code: 'SCM90010',
    });
    await app.ok(cancelLedgerAdjustment, { id: pending.id, version: again.version }, { as });
    expect((await app.ok(queryLedgerAdjustmentList, { book, adjustNo: pending.adjustNo }, { as })).rows).toMatchObject([
      { status: 'CANCELLED' },
    ]);
  });

  it('is never its maker’s or one person’s twice, also not by SQL', async () => {
    const { id } = await makePosted(app);
    const set = (column: string) => app.database.asOwner(`update ledger_adjustment set ${column} = maker_id where id = ${id}`);
    await expect(set('checker_id')).rejects.toThrow('ledger_adjustment_two_people');
    await expect(set('second_checker_id')).rejects.toThrow('ledger_adjustment_three_people');
  });
});

describe('a proof', () => {
  it('runs by hand one at a time, tells who mends, and its difference is rebuilt from the entries', async () => {
    await app.runDue();
    const { accountNo } = await breakBalance(app);
    const { proofId } = await app.ok(runLedgerProof, { book }, { as: prover });
    expect(await app.refused(runLedgerProof, { book }, { as: prover })).toMatchObject({ code: 'SCM18060' });
    await app.runDue();
    const { rows: proofs } = await app.ok(queryLedgerProofList, { book }, { as: prover });
    expect(proofs[0]).toMatchObject({ id: proofId, status: 'FAILED', kind: 'MANUAL' });
    const find = async () => {
      const { rows } = await app.ok(queryLedgerFindingList, { book, findingCode: ['P5'] }, { as: prover });
      return rows.find((row) => row.accountNo === accountNo)!;
    };
    const found = await find();
    expect(found).toMatchObject({ status: 'OPEN', differenceFen: '700', allowedActions: ['assign', 'rebuild', 'resolve', 'explain'] });
    const { rows: todos } = await sql<{ n: number }>`
      select count(*)::int as n from identity_notice where business_key like ${`ledger.proof:${book}:%`}`.execute(app.db);
    expect(todos[0]!.n).toBeGreaterThan(0);
    const assigned = await app.ok(assignLedgerFinding, { id: found.id, version: found.version, userId: prover.userId }, { as: prover });
    expect(await app.refused(assignLedgerFinding, { id: found.id, version: 2, userId: viewer.userId }, { as: prover })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.ok(rebuildLedgerProjection, { id: found.id, version: assigned.version }, { as: prover })).toMatchObject({
      status: 'RESOLVED',
    });
    expect(await find()).toMatchObject({ resolution: '已重建余额投影', ownerUserName: prover.displayName });
    // Lots of that account stand by the balance again; the next proof says so.
    await app.ok(runLedgerProof, { book }, { as: prover });
    await app.runDue();
    const [state] = await app.ok(queryLedgerBookState, {}, { as: prover });
    expect(state).toMatchObject({ book, openFindings: 0, last: { status: 'PASSED' }, runningSince: null });
  });

  it('is mended by an adjustment, or explained where nothing was posted wrong', async () => {
    const one = await makeFinding(app);
    expect(await app.refused(resolveLedgerFinding, { id: one.id, version: 1, adjustNo: 'LJ0' }, { as: prover })).toMatchObject({
      code: 'SCM90020',
    });
    const { adjustNo } = await makePosted(app);
    expect(await app.ok(resolveLedgerFinding, { id: one.id, version: 1, adjustNo }, { as: prover })).toMatchObject({ status: 'RESOLVED' });
    expect(await app.refused(explainLedgerFinding, { id: one.id, version: 2, opinion: '不再需要' }, { as: prover })).toMatchObject({
      code: 'SCM90031',
    });
    const { rows } = await sql<{ id: string }>`
      insert into ledger_finding (proof_id, book, finding_code, object_key, created_at)
      select max(id), 'CARD', 'P4', 'account:0', ${app.clock.now()}::timestamptz from ledger_proof returning id`.execute(app.db);
    expect(await app.refused(explainLedgerFinding, { id: rows[0]!.id, version: 1, opinion: '仅说明' }, { as: prover })).toMatchObject({
      code: 'SCM18061',
    });
    expect(await app.refused(rebuildLedgerProjection, { id: rows[0]!.id, version: 1 }, { as: prover })).toMatchObject({ code: 'SCM90031' });
    await app.database.asOwner(
      `
        update ledger_balance
          set credit_total_fen = credit_total_fen - 700
          where account_id = (select id from ledger_account where account_no = '${one.funded.accountNo}')`,
    );
  });

  it('runs every night over every book', async () => {
    const before = (await app.ok(queryLedgerProofList, { book, kind: ['NIGHTLY'] }, { as: prover })).total;
    await app.advance(hours(24));
    // Sessions do not last so long.
    prover = await app.staff({ permissions: ['ledger.proof.view', 'ledger.proof.manage', 'ledger.account.view', CARD] });
    expect((await app.ok(queryLedgerProofList, { book, kind: ['NIGHTLY'] }, { as: prover })).total).toBe(before + 1);
  });

  it('of a month balances by account types', async () => {
    const period = app.kernel.clock.today().slice(0, 7);
    const sums = await app.ok(queryTrialBalance, { book, period }, { as: prover });
    expect(sums.debitFen).toBe(sums.creditFen);
    expect(sums.closingDebitFen).toBe(sums.closingCreditFen);
    expect(BigInt(sums.debitFen)).toBeGreaterThan(0n);
    const { rows } = await app.ok(queryLedgerPeriodList, { book }, { as: prover });
    expect(rows.find((row) => row.period === period)).toMatchObject({ status: 'OPEN' });
  });
});

it('tells of itself in a demonstration: months closed, proofs chained, adjustments in every state, what a proof found', async () => {
  const demo = await startTestApp();
  try {
    await ledgerIn(demo);
    const book2 = ['ledger.account.view', CARD];
    await demo.staff({ permissions: ['ledger.adjust.make', ...book2], userName: 'fin_a' });
    await demo.staff({ permissions: ['ledger.adjust.check', 'ledger.proof.manage', ...book2], userName: 'fin_r' });
    await demo.staff({ permissions: ['ledger.adjust.check2', ...book2], userName: 'fin_s' });
    const ctx = {
      kernel: demo.kernel,
      now: demo.clock.now(),
      db: demo.db,
      transaction: <T>(work: Parameters<typeof demo.kernel.transactions.run<T>>[1]) => demo.kernel.transactions.run('demo', work),
    };
    await openMonths(ctx, demo.kernel);
    await writeBooks(ctx, demo.kernel);
    const { rows: states } = await sql<{ status: string }>`select status from ledger_adjustment order by status`.execute(demo.db);
    expect(states.map(({ status }) => status)).toEqual(['CANCELLED', 'DRAFT', 'PENDING', 'PENDING_SECOND', 'POSTED', 'REJECTED']);
    const { rows: months } = await sql<{ status: string; n: number }>`
      select status, count(*)::int as n from ledger_period where book = 'CARD' group by status order by status`.execute(demo.db);
    expect(months).toEqual([
      { status: 'CLOSED', n: 5 },
      { status: 'OPEN', n: 2 },
    ]);
    const { rows: nights } = await sql<{ n: number; chained: boolean }>`
      select count(*) filter (where kind = 'NIGHTLY')::int as n, bool_and(prev_digest is not distinct from before) as chained
        from (select p.*, lag(p.digest) over (order by p.id) as before from ledger_proof p where p.book = 'CARD') s`.execute(demo.db);
    expect(nights).toEqual([{ n: 14, chained: true }]);
    const { rows: found } = await sql<{ status: string }>`select status from ledger_finding order by id`.execute(demo.db);
    expect(found.map(({ status }) => status)).toEqual(['RESOLVED', 'ASSIGNED', 'IGNORED']);
    // The next night closes what is no longer there.
    await demo.advance(hours(24));
    const { rows: open } = await sql<{
      n: number;
    }>`select count(*)::int as n from ledger_finding where status in ('OPEN', 'ASSIGNED')`.execute(demo.db);
    expect(open).toEqual([{ n: 0 }]);
  } finally {
    await demo.close();
  }
});

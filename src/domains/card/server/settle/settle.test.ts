import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes, plusDays } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper, uploadRows } from '#testing/uploads.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { paymentSucceeded } from '#events/invoice.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { addFundPrepay, auditFundPrepay, queryFundBalanceList, queryFundPrepayList } from '../../contract/calls/funds.ts';
import { assignFinding, fixFinding, queryFindingList, runInvariant } from '../../contract/calls/findings.ts';
import {
  addSettlementBatch,
  auditSettlementBatch,
  confirmBill,
  disputeBill,
  exportBill,
  importBillStatement,
  previewSettlement,
  querySettlementBatchDetail,
  querySettlementBillList,
  querySettlementLineList,
  resolveBillLine,
  submitSettlementBatch,
  voidSettlementBatch,
} from '../../contract/calls/settlement.ts';
import { CARD_CONFIRM, CARD_VOUCHER } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { lookAll } from '../findings/invariants.ts';
import {
  balancesOf,
  hold,
  holdRequest,
  inTransaction,
  keeper,
  makeCard,
  makeType,
  openBooks,
  useLine,
  type TypeWish,
} from '../testing/fixtures.ts';
import { captureHold } from '../use/capture.ts';
import { reverseNow } from '../use/reverse.ts';
import { statementImporter } from './statementImporter.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

let count = 0;
const key = (as: TestStaff) => ({ as, idempotencyKey: `card-settle-${(count += 1)}` });
const by = { ...SYSTEM, type: 'AUTO' as const };
const spend = async (cardId: string, amount: number, merchantId: string) => {
  const [held] = await hold(app, holdRequest([cardId], [useLine(amount, { merchantId, merchantName: `药店${merchantId}` })]));
  return (await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by }))).writeOffs[0]!;
};
const reverse = (writeOffId: string, amount: number) =>
  inTransaction(app, (use) =>
    reverseNow(use, ledgerOf(app.kernel), {
      writeOffId,
      amount: BigInt(amount),
      key: `rv-${(count += 1)}`,
      reasonCode: 'RETURN',
      opinion: '退货',
      requestedBy: SYSTEM,
    }),
  );
const sound = async () => expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), []))).toMatchObject({ found: 0 });
const cardOf = async (wish: TypeWish = {}) =>
  makeCard(app, await makeType(app, { rules: { feeRateBp: 150 }, ...wish }), { funding: [{ amount: 1_000_000n }] });

const scopeOf = (bizLine: NonNullable<TypeWish['bizLine']>, direction: 'PAYABLE' | 'RECEIVABLE' = 'PAYABLE') => ({
  direction,
  kind: 'STORED_VALUE' as const,
  bizLine,
  periodFrom: plusDays(app.clock.today(), -30),
  periodTo: app.clock.today(),
  cutoffAt: app.clock.now(),
  counterpartyIds: Array.of<string>(),
});
async function generated(scope: ReturnType<typeof scopeOf>) {
  const { id } = await app.ok(addSettlementBatch, scope, key(maker));
  await app.runDue();
  return app.ok(querySettlementBatchDetail, { batchId: id }, { as: maker });
}
/** A batch that is with its counterparties. */
async function sent(scope: ReturnType<typeof scopeOf>) {
  const { batch } = await generated(scope);
  await app.ok(submitSettlementBatch, { batchId: batch.id, version: batch.version }, { as: maker });
  await app.ok(auditSettlementBatch, { batchId: batch.id, version: batch.version + 1, decision: 'approve' }, { as: checker });
  const { rows } = await app.ok(querySettlementBillList, { batchId: batch.id }, { as: maker });
  return { batch, bills: rows };
}
const linesOf = async (billId: string) => (await app.ok(querySettlementLineList, { billId, pageSize: 100 }, { as: maker })).rows;
const paid = async (billId: string, billNo: string, paymentNo: string, amount: number, allocationId?: string) => {
  await inTransaction(app, (use) =>
    use.publish(paymentSucceeded, paymentNo, {
      paymentNo,
      kind: 'OUT',
      sourceType: 'CARD_BILL',
      sourceId: billId,
      sourceNo: billNo,
      ...(allocationId !== undefined && { allocationId }),
      amount,
      at: app.clock.now(),
    }),
  );
  await app.runDue();
};

describe('settlement', () => {
  it('preview is what is generated, to the fen; a second batch waits; what comes later is in the next', async () => {
    const card = await cardOf();
    const first = await spend(card.cardId, 12_345, '601');
    const second = await spend(card.cardId, 50_000, '601');
    await reverse(second.writeOffId, 5000);
    await app.runDue();
    const scope = scopeOf('HMO');
    expect(await app.refused(previewSettlement, { ...scope, cutoffAt: '2027-01-01T00:00:00.000Z' }, { as: maker })).toMatchObject({
      fields: [{ message: '截止时间不能晚于当前时间' }],
    });
    const preview = await app.ok(previewSettlement, scope, { as: maker });
    expect(preview).toMatchObject({ gross: 62_345, reversal: 5000, fee: 860, net: 56_485, lineCount: 3, billCount: 1 });
    const { batch, checks } = await generated(scope);
    expect(batch).toMatchObject({ state: 'DRAFT', gross: 62_345, reversal: 5000, fee: 860, net: 56_485, lineCount: 3, billCount: 1 });
    expect(checks.every(({ ok }) => ok)).toBe(true);
    expect(await app.refused(addSettlementBatch, scope, key(maker))).toMatchObject({
      code: 'SCM17052',
      message: `存在未提交对账的结算批次（${batch.batchNo}），请先处理`,
    });
    await app.ok(submitSettlementBatch, { batchId: batch.id, version: batch.version }, { as: maker });
    const offered = async (as: TestStaff) => (await app.ok(querySettlementBatchDetail, { batchId: batch.id }, { as })).batch.allowedActions;
    expect([await offered(maker), await offered(checker)]).toEqual([[], ['approve', 'reject']]);
    expect(
      await app.refused(auditSettlementBatch, { batchId: batch.id, version: batch.version + 1, decision: 'approve' }, { as: maker }),
    ).toMatchObject({ code: 'SCM17003' });
    await app.ok(auditSettlementBatch, { batchId: batch.id, version: batch.version + 1, decision: 'approve' }, { as: checker });
    await reverse(first.writeOffId, 2345);
    await app.advance(minutes(1));
    const next = await app.ok(previewSettlement, scopeOf('HMO'), { as: maker });
    expect(next.bills).toMatchObject([{ lineCount: 2, reversal: 2345, adjust: 2345 - 35, net: 0 }]);
    await sound();
  });

  it('a funder owes what was used of its money, less what was reversed', async () => {
    const card = await cardOf({ bizLine: 'SAAS', productCode: 'P1' });
    const used = await spend(card.cardId, 10_000, '602');
    await reverse(used.writeOffId, 4000);
    await app.runDue();
    const preview = await app.ok(previewSettlement, scopeOf('SAAS', 'RECEIVABLE'), { as: maker });
    expect(preview).toMatchObject({
      gross: 10_000,
      reversal: 4000,
      fee: 0,
      net: 6000,
      bills: [{ productCode: 'P1', counterpartyType: 'INSURER' }],
    });
    const balances = await balancesOf(app);
    expect(balances[`CARD_RECEIVABLE/INSURER:${preview.bills[0]!.counterpartyId}`]).toBe(6000);
    await sound();
  });

  it('a funder owes under the product that value was issued under, as the books have it, whatever its type says since', async () => {
    const card = await cardOf({ bizLine: 'SAAS', productCode: 'P-OLD' });
    await spend(card.cardId, 7000, '541');
    // As a type was changed before it could no longer be.
    await own(app.db).updateTable('cardType').set({ productCode: 'P-NEW' }).where('id', '=', card.cardTypeId).execute();
    await spend(card.cardId, 3000, '541');
    const used = await spend((await makeCard(app, card.cardTypeId, { funding: [{ amount: 50_000n }] })).cardId, 2000, '541');
    await app.runDue();
    await reverse(used.writeOffId, 500);
    await app.runDue();
    const { batch } = await generated(scopeOf('SAAS', 'RECEIVABLE'));
    const { rows } = await app.ok(querySettlementBillList, { batchId: batch.id }, { as: maker });
    expect(rows.map(({ productCode, net }) => `${productCode} ${net}`).toSorted()).toEqual(['P-NEW 1500', 'P-OLD 10000', 'P1 6000']);
    const { rows: booked } = await sql<{ sub: string; fen: number }>`
      select a.sub, sum(b.sign * (b.debit_total_fen - b.credit_total_fen))::int as fen
        from ledger_account a
        join ledger_balance b on b.account_id = a.id
        where a.account_type = 'CARD_RECEIVABLE' and a.sub in ('P-OLD', 'P-NEW')
        group by a.sub
        order by a.sub`.execute(app.db);
    expect(booked).toEqual([
      { sub: 'P-NEW', fen: 1500 },
      { sub: 'P-OLD', fen: 10_000 },
    ]);
    await sound();
  });

  it('a batch that does not add up is not handed in; the check that fails is named', async () => {
    const card = await cardOf({ bizLine: 'DAAS' });
    await spend(card.cardId, 1000, '609');
    const { batch } = await generated(scopeOf('DAAS'));
    const put = (more: number) =>
      own(app.db)
        .updateTable('cardSettlementBatch')
        .set({ netAmount: String(batch.net + more) })
        .where('id', '=', batch.id)
        .execute();
    await put(1);
    const submit = { batchId: batch.id, version: batch.version };
    expect(await app.refused(submitSettlementBatch, submit, { as: maker })).toMatchObject({
      code: 'SCM17050',
      message: '结算检查未通过：批次净额等于结算单之和',
    });
    const { checks } = await app.ok(querySettlementBatchDetail, { batchId: batch.id }, { as: maker });
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([{ check: 'TOTALS', numbers: [batch.batchNo] }]);
    await put(0);
    const { version } = await app.ok(submitSettlementBatch, submit, { as: maker });
    await app.ok(auditSettlementBatch, { batchId: batch.id, version, decision: 'approve' }, { as: checker });
  });

  it('a voided batch frees its lines', async () => {
    const card = await cardOf({ bizLine: 'OWN' });
    await spend(card.cardId, 1000, '603');
    const { batch } = await generated(scopeOf('OWN'));
    expect((await app.ok(previewSettlement, scopeOf('OWN'), { as: maker })).lineCount).toBe(0);
    await app.ok(voidSettlementBatch, { batchId: batch.id, version: batch.version, opinion: '期间选错' }, { as: maker });
    // Its bills are void too, so there is no sum that it would fail.
    expect((await app.ok(querySettlementBatchDetail, { batchId: batch.id }, { as: maker })).checks).toEqual([]);
    expect((await app.ok(previewSettlement, scopeOf('OWN'), { as: maker })).lineCount).toBe(1);
  });

  it('differences are settled by lines of their own; then the bill is confirmed, paid in parts and once by each number', async () => {
    const card = await cardOf({ bizLine: 'DAAS' });
    await spend(card.cardId, 10_000, '604');
    await spend(card.cardId, 20_000, '604');
    await spend(card.cardId, 30_000, '604');
    const { bills } = await sent(scopeOf('DAAS'));
    const bill = bills[0]!;
    const lines = await linesOf(bill.id);
    const rows = [
      { sourceNo: lines[0]!.sourceNo, amount: '100.00' },
      { sourceNo: lines[1]!.sourceNo, amount: '190.00' },
      { sourceNo: 'WO-NICHT', amount: '7.00' },
    ];
    const started = await app.ok(
      importBillStatement,
      { billId: bill.id, fileId: await uploadRows(app, maker, statementImporter, rows) },
      { as: maker },
    );
    await app.runDue();
    await app.ok(commitImportTask, { importTaskId: started.importTaskId, version: 2 }, key(maker));
    await app.runDue();
    const compared = await linesOf(bill.id);
    expect(compared.map(({ matchState }) => matchState)).toEqual(['MATCHED', 'AMOUNT_DIFF', 'OURS_ONLY', 'THEIRS_ONLY']);
    let [now] = (await app.ok(querySettlementBillList, { billNo: bill.billNo }, { as: maker })).rows;
    expect(now).toMatchObject({ state: 'DISPUTED', unresolved: 3 });
    // Who decided for the counterparty does not confirm.
    const fileId = await uploadPaper(app, checker, CARD_CONFIRM);
    expect(await app.refused(confirmBill, { billId: bill.id, version: now!.version, confirmFileId: fileId }, key(checker))).toMatchObject({
      code: 'SCM17051',
      message: '尚有3条差异未处理',
    });
    let version = now!.version;
    for (const [at, resolution] of [
      [1, 'THEIRS'],
      [2, 'NEXT'],
      [3, 'OURS'],
    ] as const) {
      const answer = await app.ok(
        resolveBillLine,
        { lineId: compared[at]!.id, billId: bill.id, version, resolution, opinion: '已与对方核对' },
        { as: maker },
      );
      version = answer.version;
    }
    const resolved = await linesOf(bill.id);
    expect(resolved.filter(({ sourceType }) => sourceType === 'ADJUST').map(({ amount }) => amount)).toEqual([0, -1000, -30_000 + 450]);
    [now] = (await app.ok(querySettlementBillList, { billNo: bill.billNo }, { as: maker })).rows;
    const net = 60_000 - 900 - 1000 - 29_550;
    expect(now).toMatchObject({ net, unresolved: 0 });
    expect(resolved.reduce((sum, line) => sum + line.net, 0)).toBe(net);
    expect(await app.ok(confirmBill, { billId: bill.id, version, confirmFileId: fileId }, key(checker))).toMatchObject({
      state: 'CONFIRMED',
    });
    expect((await app.file(exportBill, { billId: bill.id, format: 'PDF' }, { as: maker })).body.subarray(0, 4).toString()).toBe('%PDF');
    expect((await app.file(exportBill, { billId: bill.id, format: 'XLSX' }, { as: maker })).body.length).toBeGreaterThan(1000);
    const part = Math.floor(net * 0.3);
    await paid(bill.id, bill.billNo, 'FK1', part);
    await paid(bill.id, bill.billNo, 'FK1', part);
    [now] = (await app.ok(querySettlementBillList, { billNo: bill.billNo }, { as: maker })).rows;
    // The letter stays with its bill.
    expect(now).toMatchObject({ state: 'PART_SETTLED', settled: part, confirmFileId: fileId });
    await paid(bill.id, bill.billNo, 'FK2', net - part);
    [now] = (await app.ok(querySettlementBillList, { billNo: bill.billNo }, { as: maker })).rows;
    expect(now).toMatchObject({ state: 'SETTLED', settled: net });
    expect((await app.ok(querySettlementBatchDetail, { batchId: bill.batchId }, { as: maker })).batch.state).toBe('FINISHED');
    const next = async () => (await app.ok(previewSettlement, scopeOf('DAAS'), { as: maker })).bills;
    expect(await next()).toMatchObject([{ adjust: 29_550, net: 29_550 }]);
    // What was carried stands in one bill that lives: no later batch takes it again.
    expect((await sent(scopeOf('DAAS'))).bills).toMatchObject([{ net: 29_550 }]);
    expect(await next()).toEqual([]);
    await spend(card.cardId, 1000, '604');
    expect((await sent(scopeOf('DAAS'))).bills).toMatchObject([{ net: 1000 - 15 }]);
    await sound();
    expect(
      await app.refused(
        disputeBill,
        { billId: bill.id, version: now!.version, lines: [{ lineId: lines[0]!.id, theirAmount: 1 }] },
        { as: maker },
      ),
    ).toMatchObject({ code: 'SCM90031' });
    // An amount that no write-off has is refused as it was typed.
    const most = 1_000_000_000;
    for (const theirAmount of [most + 1, -most - 1])
      expect(
        await app.refused(
          disputeBill,
          { billId: bill.id, version: now!.version, lines: [{ lineId: lines[0]!.id, theirAmount }] },
          { as: maker },
        ),
      ).toMatchObject({ fields: [{ path: 'lines.0.theirAmount', message: expect.stringContaining('1000万元') }] });
  });
});

describe('money that is allocated, and taken back', () => {
  const confirmed = async (direction: 'PAYABLE' | 'RECEIVABLE', merchantId: string) => {
    const card = await cardOf({ bizLine: 'OWN', productCode: `P${merchantId}` });
    await spend(card.cardId, 10_000, merchantId);
    await app.runDue();
    const scope = scopeOf('OWN', direction);
    const { bills: all } = await app.ok(previewSettlement, scope, { as: maker });
    const mine = all.find(({ counterpartyId, productCode }) => counterpartyId === merchantId || productCode === `P${merchantId}`)!;
    const { bills } = await sent({ ...scope, counterpartyIds: [mine.counterpartyId] });
    const bill = bills[0]!;
    const confirmFileId = await uploadPaper(app, checker, CARD_CONFIRM);
    await app.ok(confirmBill, { billId: bill.id, version: bill.version, confirmFileId }, key(checker));
    const now = async () => (await app.ok(querySettlementBillList, { billNo: bill.billNo }, { as: maker })).rows[0];
    return { bill, now };
  };
  const stands = ({ state, settled }: { state: string; settled: number } | undefined = { state: '', settled: 0 }) => [state, settled];

  it.each(['PAYABLE', 'RECEIVABLE'] as const)(
    'settles a bill of %s by all of its parts together, in whichever order they come',
    async (direction) => {
      const { bill, now } = await confirmed(direction, direction === 'PAYABLE' ? '611' : '612');
      const { net } = bill;
      const pay = (amount: number, part: string) => paid(bill.id, bill.billNo, 'SK1', amount, `${direction}-${part}`);
      // Two parts of one receipt, each told twice.
      for (const part of ['A', 'A', 'B', 'B']) await pay(net - 4000, part);
      expect(stands(await now())).toEqual(['SETTLED', net]);
      const batchState = async () => (await app.ok(querySettlementBatchDetail, { batchId: bill.batchId }, { as: maker })).batch.state;
      expect(await batchState()).toBe('FINISHED');
      // B is enough for all but 4,000: no more than that is open once A is taken back.
      await pay(-(net - 4000), 'A-back');
      await pay(-(net - 4000), 'A-back');
      expect([stands(await now()), await batchState()]).toEqual([['PART_SETTLED', net - 4000], 'CONFIRMING']);
      await pay(-(net - 4000), 'B-back');
      expect(stands(await now())).toEqual(['CONFIRMED', 0]);
      // What is taken back before it is told counts against it.
      await pay(-1000, 'C-back');
      await pay(1000, 'C');
      expect(stands(await now())).toEqual(['CONFIRMED', 0]);
      await pay(net, 'D');
      expect([stands(await now()), await batchState()]).toEqual([['SETTLED', net], 'FINISHED']);
      const { rows } = await sql<{ amount: number }>`
        select (payload->>'amount')::int as amount
          from kernel_outbox
          where name = 'card.bill.settled' and aggregate_id = ${bill.id}
          order by id`.execute(app.db);
      expect(rows.map(({ amount }) => amount)).toEqual([net - 4000, 4000, -4000, 4000 - net, net]);
      const { rows: booked } = await sql<{ type: string; fen: number }>`
        select transfer_type as type, sum(total_fen)::int as fen
          from ledger_transfer
          where ref_type = 'cardSettlementBill' and ref_id = ${bill.id}
          group by 1
          order by 1`.execute(app.db);
      expect(booked).toEqual([
        { type: `CARD_SETTLE_${direction}`, fen: net + net },
        { type: `CARD_UNSETTLE_${direction}`, fen: net },
      ]);
      await sound();
    },
  );
});

describe('money in advance', () => {
  it("is the funder's after a second person has seen it, once for each bank number", async () => {
    const cardTypeId = await makeType(app, { fundingMode: 'PREPAID' });
    const paper = () => uploadPaper(app, maker, CARD_VOUCHER);
    const ask = { cardTypeId, amount: 500_000, bankSerialNo: 'BANK-0001', receivedOn: '2026-11-20', voucherFileId: await paper() };
    expect(await app.refused(addFundPrepay, { ...ask, cardTypeId: await makeType(app) }, key(maker))).toMatchObject({
      fields: [{ path: 'cardTypeId' }],
    });
    const made = await app.ok(addFundPrepay, ask, key(maker));
    expect(await app.refused(addFundPrepay, { ...ask, voucherFileId: await paper() }, key(maker))).toMatchObject({ code: 'SCM17060' });
    const lastYear = await app.ok(addFundPrepay, { ...ask, receivedOn: '2025-11-20', voucherFileId: await paper() }, key(maker));
    expect(lastYear.id).not.toBe(made.id);
    const decide = { prepayId: made.id, version: 1, decision: 'approve' as const };
    const offered = async (as: TestStaff) => (await app.ok(queryFundPrepayList, {}, { as })).rows[0]?.allowedActions;
    expect([await offered(maker), await offered(checker)]).toEqual([[], ['approve', 'reject']]);
    expect(await app.refused(auditFundPrepay, decide, key(maker))).toMatchObject({ code: 'SCM17003' });
    await app.ok(auditFundPrepay, decide, key(checker));
    const { rows } = await app.ok(queryFundBalanceList, {}, { as: maker });
    expect(rows).toMatchObject([{ prepaid: 500_000, left: 500_000, used: 0 }]);
  });
});

describe('findings', () => {
  it('a card that says something else than its books is found, taken up and written again', async () => {
    const card = await cardOf();
    await own(app.db).updateTable('cardCard').set({ principalAvail: '7' }).where('id', '=', card.cardId).execute();
    expect(await app.ok(runInvariant, { codes: ['I9'] }, { as: maker })).toMatchObject({ found: 1 });
    const [row] = (await app.ok(queryFindingList, { invariantCode: ['I9'], status: 'OPEN' }, { as: maker })).rows;
    expect(row).toMatchObject({ expected: '本金10000.00 赠金0.00 预占0.00', actual: '本金0.07 赠金0.00 预占0.00' });
    await app.ok(assignFinding, { findingId: row!.id, version: 1 }, { as: maker });
    expect(await app.ok(fixFinding, { findingId: row!.id, version: 2 }, { as: maker })).toMatchObject({ state: 'CLOSED' });
    expect(await app.ok(runInvariant, {}, { as: maker })).toMatchObject({ found: 0 });
    await app.advance(days(1), ['card', 'ledger']);
    await app.runDue();
    await sound();
  });
});

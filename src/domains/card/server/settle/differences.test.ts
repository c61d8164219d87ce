import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadPaper, uploadRows } from '#testing/uploads.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import {
  addSettlementBatch,
  auditSettlementBatch,
  confirmBill,
  disputeBill,
  importBillStatement,
  previewSettlement,
  querySettlementBatchDetail,
  querySettlementBillList,
  querySettlementLineList,
  resolveBillLine,
  submitSettlementBatch,
  voidBill,
} from '../../contract/calls/settlement.ts';
import { cardPermissions } from '../../contract/permissions.ts';
import { CARD_CONFIRM } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { lookAll } from '../findings/invariants.ts';
import { hold, holdRequest, inTransaction, keeper, makeCard, makeType, openBooks, useLine } from '../testing/fixtures.ts';
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
const key = (as: TestStaff) => ({ as, idempotencyKey: `card-difference-${(count += 1)}` });
const by = { ...SYSTEM, type: 'AUTO' as const };
const sound = async () => expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), []))).toMatchObject({ found: 0 });
const scope = () => ({
  direction: 'PAYABLE' as const,
  kind: 'STORED_VALUE' as const,
  bizLine: 'HMO' as const,
  periodFrom: plusDays(app.clock.today(), -30),
  periodTo: app.clock.today(),
  cutoffAt: app.clock.now(),
  counterpartyIds: [],
});
async function spend(amounts: readonly number[], merchantId: string) {
  const card = await makeCard(app, await makeType(app, { rules: { feeRateBp: 150 } }), { funding: [{ amount: 10_000_000n }] });
  const done: string[] = [];
  for (const amount of amounts) {
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(amount, { merchantId, merchantName: `药店${merchantId}` })]));
    const { writeOffs } = await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by }));
    done.push(writeOffs[0]!.writeOffId);
  }
  return done;
}
const reverse = (writeOffId: string, amount: number) =>
  inTransaction(app, (use) =>
    reverseNow(use, ledgerOf(app.kernel), {
      writeOffId,
      amount: BigInt(amount),
      key: `difference-${(count += 1)}`,
      reasonCode: 'RETURN',
      opinion: '退货',
      requestedBy: SYSTEM,
    }),
  );
/** A batch that is with its counterparties; the bill of one of them. */
async function sent(merchantId: string) {
  const { id } = await app.ok(addSettlementBatch, scope(), key(maker));
  await app.runDue();
  const { batch } = await app.ok(querySettlementBatchDetail, { batchId: id }, { as: maker });
  await app.ok(submitSettlementBatch, { batchId: id, version: batch.version }, { as: maker });
  await app.ok(auditSettlementBatch, { batchId: id, version: batch.version + 1, decision: 'approve' }, { as: checker });
  const { rows } = await app.ok(querySettlementBillList, { batchId: id }, { as: maker });
  return rows.find(({ counterpartyName }) => counterpartyName === `药店${merchantId}`)!;
}
const billNow = async (billNo: string, as = maker) => (await app.ok(querySettlementBillList, { billNo }, { as })).rows[0]!;
const linesOf = async (billId: string) => (await app.ok(querySettlementLineList, { billId, pageSize: 100 }, { as: maker })).rows;
const letter = (as: TestStaff) => uploadPaper(app, as, CARD_CONFIRM);
interface Bill {
  id: string;
  billNo: string;
}
async function dispute(bill: Bill, lineId: string, theirAmount: number, as = maker) {
  const { version } = await billNow(bill.billNo);
  return app.send(disputeBill, { billId: bill.id, version, lines: [{ lineId, theirAmount }], opinion: '' }, { as });
}
async function resolve(bill: Bill, lineId: string, resolution: 'OURS' | 'THEIRS' | 'NEXT', as = maker) {
  const { version } = await billNow(bill.billNo);
  return app.send(resolveBillLine, { billId: bill.id, version, lineId, resolution, opinion: '已与对方核对' }, { as });
}
async function confirm(bill: Bill, as: TestStaff) {
  const { version } = await billNow(bill.billNo);
  return app.send(confirmBill, { billId: bill.id, version, confirmFileId: await letter(as) }, key(as));
}
async function cancel(bill: Bill) {
  const { version } = await billNow(bill.billNo);
  return app.send(voidBill, { billId: bill.id, version, opinion: '重新对账' }, { as: checker });
}
const done = { envelope: { code: '0000000' } };
const refused = (code: string) => ({ envelope: { code } });

describe('differences of a bill', () => {
  it('what was moved on is paid once: the bill is not voided while another one has it', async () => {
    await spend([10_000, 20_000], '701');
    const first = await sent('701');
    const [line] = await linesOf(first.id);
    expect(await dispute(first, line!.id, 9000)).toMatchObject(done);
    expect(await resolve(first, line!.id, 'NEXT')).toMatchObject(done);
    const next = await sent('701');
    expect(next).toMatchObject({ net: 9850 });
    expect(await cancel(first)).toMatchObject({
      envelope: { code: 'SCM17057', message: `移至下期的明细已在结算单${next.billNo}中，请先作废该结算单` },
    });
    expect(await cancel(next)).toMatchObject(done);
    expect(await cancel(first)).toMatchObject(done);
    await sound();
    const { bills } = await app.ok(previewSettlement, scope(), { as: maker });
    expect(bills).toMatchObject([{ lineCount: 2, net: 30_000 - 450 }]);
    // As it was found: the first bill is void while the other one still pays what it carried.
    const again = await sent('701');
    const [carried] = await linesOf(again.id);
    await dispute(again, carried!.id, 9000);
    await resolve(again, carried!.id, 'NEXT');
    await sent('701');
    await own(app.db).updateTable('cardSettlementLine').set({ live: false }).where('billId', '=', again.id).execute();
    expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), ['I14']))).toMatchObject({ found: 1 });
    await own(app.db).updateTable('cardSettlementLine').set({ live: true }).where('billId', '=', again.id).execute();
    await sound();
  });

  it('a line that was decided is not registered again, by word or by file', async () => {
    await spend([10_000, 5000], '702');
    const bill = await sent('702');
    const [line, other] = await linesOf(bill.id);
    expect(await dispute(bill, line!.id, 9000)).toMatchObject(done);
    expect(await resolve(bill, line!.id, 'THEIRS')).toMatchObject(done);
    for (const theirAmount of [10_000, 8000]) expect(await dispute(bill, line!.id, theirAmount)).toMatchObject(refused('SCM17053'));
    expect(await resolve(bill, line!.id, 'THEIRS')).toMatchObject(refused('SCM90020'));
    const adjustment = (await linesOf(bill.id)).find(({ sourceType }) => sourceType === 'ADJUST');
    expect(await dispute(bill, adjustment!.id, -1)).toMatchObject(refused('SCM90020'));
    const load = async (rows: { sourceNo: string; amount: string }[]) => {
      const fileId = await uploadRows(app, maker, statementImporter, rows);
      const started = await app.ok(importBillStatement, { billId: bill.id, fileId }, { as: maker });
      await app.runDue();
      return app.send(commitImportTask, { importTaskId: started.importTaskId, version: 2 }, key(maker));
    };
    expect((await load([{ sourceNo: line!.sourceNo, amount: '70.00' }])).envelope.code).not.toBe('0000000');
    const whole = [
      { sourceNo: line!.sourceNo, amount: '90.00' },
      { sourceNo: other!.sourceNo, amount: '50.00' },
      { sourceNo: 'WO-ANDERS', amount: '7.00' },
    ];
    expect(await load(whole)).toMatchObject(done);
    await app.runDue();
    // The same statement again names its unknown line once.
    expect(await load(whole.toReversed())).toMatchObject(done);
    await app.runDue();
    const lines = await linesOf(bill.id);
    expect(lines.filter(({ sourceNo }) => sourceNo === 'WO-ANDERS')).toHaveLength(1);
    expect(lines[0]).toMatchObject({ resolution: 'THEIRS', theirAmount: 9000 });
    const unknown = lines.find(({ sourceNo }) => sourceNo === 'WO-ANDERS');
    expect(await resolve(bill, unknown!.id, 'THEIRS')).toMatchObject(refused('SCM17058'));
    expect(await resolve(bill, unknown!.id, 'OURS')).toMatchObject(done);
    expect(await cancel(bill)).toMatchObject(refused('SCM90020'));
    await sound();
  });

  it('their amount has the sign of ours and is near it; a second person decides what is large, and another confirms', async () => {
    await spend([328_080, 10_000], '703');
    const bill = await sent('703');
    const [large] = await linesOf(bill.id);
    for (const theirAmount of [-1, 328_080 * 2 + 1, 1_000_000_000])
      expect(await dispute(bill, large!.id, theirAmount)).toMatchObject(refused('SCM17054'));
    expect(await dispute(bill, large!.id, 328_080 + 200_000)).toMatchObject(done);
    expect(await resolve(bill, large!.id, 'THEIRS')).toMatchObject({
      envelope: { code: 'SCM17055', message: '本单以对方为准的调整合计2000.00元，超过1000.00元，须由登记人以外的人处理' },
    });
    const clerk = await app.staff({
      permissions: Object.values(cardPermissions).flatMap(({ code }) => (code === 'card.settle.audit' ? [] : [code])),
    });
    expect(await resolve(bill, large!.id, 'THEIRS', clerk)).toMatchObject(refused('SCM90010'));
    expect(await resolve(bill, large!.id, 'THEIRS', checker)).toMatchObject(done);
    for (const as of [maker, checker]) {
      expect(await confirm(bill, as)).toMatchObject(refused('SCM17056'));
      expect((await billNow(bill.billNo, as)).allowedActions).not.toContain('confirm');
    }
    const names = [maker, checker].map(({ displayName }) => displayName);
    expect((await linesOf(bill.id))[0]).toMatchObject({ disputedByName: names[0], resolvedByName: names[1] });
    const shown = await billNow(bill.billNo, clerk);
    expect(shown.decidedBy?.split('、').toSorted()).toEqual(names.toSorted());
    expect(shown.allowedActions).toContain('confirm');
    expect(await confirm(bill, clerk)).toMatchObject(done);
    await sound();
  });

  it('small differences add up to what needs a second person', async () => {
    await spend([90_000, 90_000], '704');
    const bill = await sent('704');
    const [one, two] = await linesOf(bill.id);
    for (const line of [one!, two!]) expect(await dispute(bill, line.id, 150_000)).toMatchObject(done);
    expect(await resolve(bill, one!.id, 'THEIRS')).toMatchObject(done);
    expect(await resolve(bill, two!.id, 'THEIRS')).toMatchObject(refused('SCM17055'));
    expect(await resolve(bill, two!.id, 'OURS')).toMatchObject(done);
    expect(await confirm(bill, checker)).toMatchObject(done);
  });

  it('a bill that sums up negative is confirmed at nothing, and the next one takes the rest', async () => {
    const [paid] = await spend([20_000], '705');
    const before = await sent('705');
    expect(await confirm(before, maker)).toMatchObject(done);
    await spend([10_000], '705');
    await reverse(paid!, 8000);
    const bill = await sent('705');
    expect(bill.net).toBeGreaterThan(0);
    const line = (await linesOf(bill.id)).find(({ sourceType }) => sourceType === 'WRITE_OFF');
    expect(await dispute(bill, line!.id, 0)).toMatchObject(done);
    expect(await resolve(bill, line!.id, 'THEIRS')).toMatchObject(done);
    expect(await billNow(bill.billNo)).toMatchObject({ net: -8000 + 120 });
    expect(await confirm(bill, checker)).toMatchObject({ envelope: { code: '0000000', data: { state: 'SETTLED', net: 0 } } });
    await sound();
    await spend([30_000], '705');
    const next = await sent('705');
    expect(next).toMatchObject({ net: 30_000 - 450 - 8000 + 120, adjust: -8000 + 120 });
    await sound();
  });
});

import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import {
  addPayoutBatch,
  auditPayoutBatch,
  auditPayoutBatchSecond,
  queryPayableBills,
  removePayoutItem,
  returnPayoutBatchForTax,
  SECOND_PAYOUT_FEN,
  submitPayoutBatch,
  voidPayoutBatch,
} from '../../contract/calls/payouts.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { payoutItemMachine, payoutMachine } from '../../contract/payoutStates.ts';
import { billRecords, payerRecords, payoutRecords, type AccountRecord, type BillRecord, type PayoutRecord } from '../access.ts';
import { moveBill } from '../bills/handlers.ts';
import { frozenWith } from '../accounts/ledgerFreezes.ts';
import { json, own } from '../database.ts';
import { taxesOf } from './tax.ts';
import { requireKnownOutcome } from './openOutcome.ts';

type Action = keyof typeof payoutMachine.transitions;
type Change = Partial<Omit<PayoutRecord, 'id' | 'version' | 'status'>>;

/** Takes a transition of a locked batch. */
export async function moveBatch(
  ctx: Acting,
  batch: PayoutRecord,
  action: Action,
  opinion = '',
  change: Change = {},
): Promise<PayoutRecord> {
  const status = await moveState(ctx, payoutMachine, {
    targetType: payoutRecords.type,
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.status,
    opinion,
    contributors: [batch.makerId, ...(action === 'approveSecond' || action === 'rejectSecond' ? [batch.checkerId] : [])],
  });
  return own(ctx.tx)
    .updateTable('settlementPayoutBatch')
    .set((eb) => ({ ...change, status, ...(opinion !== '' && { opinion }), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', batch.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
const answer = (ctx: CommandContext, row: PayoutRecord) => ({
  ...actionAnswer(ctx, payoutMachine, { ...row, state: row.status }),
  state: row.status,
});

type Payee = Pick<AccountRecord, 'verifyStatus' | 'settleState' | 'taxResident' | 'payeeNo'>;
/** Why a doctor cannot be paid just now; null: he can. */
function unpayable(payee: Payee, name: string, failedPayeeNo: number | null, isFrozen: boolean) {
  if (payee.verifyStatus !== 'VERIFIED') return refuse(settlementErrors.NOT_VERIFIED, { name });
  if (payee.settleState === 'FROZEN') return refuse(settlementErrors.SETTLE_FROZEN, { name });
  if (isFrozen) return refuse(settlementErrors.LEDGER_FROZEN, { name });
  if (!payee.taxResident) return refuse(settlementErrors.NON_RESIDENT, { name });
  if (failedPayeeNo === payee.payeeNo) return refuse(settlementErrors.SAME_ACCOUNT);
  return null;
}

export const payable = query(queryPayableBills, async ({ payerEntityId }, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('settlementBill as b')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'b.doctorId')
    .innerJoin('settlementAccount as a', 'a.doctorId', 'b.doctorId')
    .select(['b.id', 'b.billNo', 'b.period', 'b.doctorId', 'd.name as doctorName', 'b.grossFen', 'b.failedPayeeNo'])
    .select(['a.verifyStatus', 'a.settleState', 'a.taxResident', 'a.payeeNo'])
    .where('b.payerEntityId', '=', payerEntityId)
    .where('b.status', '=', 'APPROVED')
    .orderBy('b.id')
    .limit(2_000)
    .execute();
  const frozen = await frozenWith(
    ctx.db,
    payerEntityId,
    rows.map(({ doctorId }) => doctorId),
  );
  return rows.map(({ verifyStatus, settleState, taxResident, payeeNo, failedPayeeNo, ...row }) => ({
    ...row,
    grossFen: Number(row.grossFen),
    reason:
      unpayable({ verifyStatus, settleState, taxResident, payeeNo }, row.doctorName, failedPayeeNo, frozen.has(row.doctorId))?.message ??
      null,
  }));
});

/** Taxes of the rows for the batch's month, and its sums. */
async function reckon(tx: Tx, batchId: string, payerEntityId: string, taxMonth: string) {
  const items = await own(tx)
    .selectFrom('settlementPayoutItem')
    .select(['id', 'doctorId', 'grossFen'])
    .where('batchId', '=', batchId)
    .where('status', '=', 'INIT')
    .orderBy('doctorId')
    .forUpdate()
    .execute();
  const taxes = await taxesOf(tx, payerEntityId, taxMonth, items);
  let taxFen = 0n;
  let grossFen = 0n;
  for (const item of items) {
    const tax = taxes.get(item.doctorId)!;
    taxFen += tax.taxFen;
    grossFen += BigInt(item.grossFen);
    await own(tx)
      .updateTable('settlementPayoutItem')
      .set({
        taxFen: String(tax.taxFen),
        netFen: String(BigInt(item.grossFen) - tax.taxFen),
        tax: json({
          method: tax.method,
          runFrom: tax.runFrom,
          taxableFen: String(tax.taxableFen),
          rateBp: tax.rateBp,
          cumTaxFen: String(tax.cumTaxFen),
          previousTaxFen: String(tax.previousTaxFen),
        }),
      })
      .where('id', '=', item.id)
      .execute();
  }
  return {
    taxMonth,
    itemCount: items.length,
    grossFen: String(grossFen),
    taxFen: String(taxFen),
    netFen: String(grossFen - taxFen),
  };
}

/** The bills, locked in one order, each of which may be paid. @throws Refusal SCM19041–SCM19043, SCM19047, SCM19048, SCM19052 */
async function lockBills(tx: Tx, payerEntityId: string, billIds: readonly string[]) {
  const bills = await own(tx)
    .selectFrom('settlementBill')
    .selectAll()
    .where('id', 'in', [...new Set(billIds)])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (bills.length < new Set(billIds).size) throw billRecords.missing();
  const strange = bills.find((bill) => bill.payerEntityId !== payerEntityId);
  if (strange) throw refuseField('billIds', `结算单${strange.billNo}不属于该付款主体`);
  const busy = bills.find(({ status }) => status !== 'APPROVED');
  if (busy) {
    await requireKnownOutcome(tx, busy);
    throw refuse(settlementErrors.NOT_PAYABLE, { no: busy.billNo });
  }
  const twice = bills.find((bill) => bills.some((other) => other !== bill && other.doctorId === bill.doctorId));
  if (twice) throw refuse(settlementErrors.DOCTOR_TWICE, { no: twice.billNo });
  return bills;
}

export const add = command(addPayoutBatch, async ({ payerEntityId, planPayDate, billIds }, ctx) => {
  if (planPayDate < ctx.today) throw refuseField('planPayDate', '计划付款日不能早于今天');
  const payer = await payerRecords.get(ctx.tx, ctx.staff, payerEntityId);
  if (!payer.enabled) throw refuse(settlementErrors.PAYER_DISABLED, { name: payer.entityName });
  const bills = await lockBills(ctx.tx, payerEntityId, billIds);
  const row = await makeBatch(ctx, { payerEntityId, planPayDate }, bills, { id: ctx.staff.userId, name: ctx.staff.displayName });
  ctx.target({ type: payoutRecords.type, id: row.id, no: row.batchNo });
  return answer(ctx, row);
});

/** A batch of locked bills that are passed, each a row with its tax. */
export async function makeBatch(
  ctx: Acting,
  { payerEntityId, planPayDate }: { payerEntityId: string; planPayDate: string },
  bills: readonly BillRecord[],
  maker: { id: string; name: string },
): Promise<PayoutRecord> {
  const batch = await own(ctx.tx)
    .insertInto('settlementPayoutBatch')
    .values({
      batchNo: await nextNumber(ctx.tx, 'FK', dayOf(ctx.now)),
      payerEntityId,
      planPayDate,
      taxMonth: planPayDate.slice(0, 7),
      makerId: maker.id,
      makerName: maker.name,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returning(['id', 'batchNo'])
    .executeTakeFirstOrThrow();
  for (const [n, bill] of bills.entries()) await addItem(ctx, batch, n + 1, bill);
  const sums = await reckon(ctx.tx, batch.id, payerEntityId, planPayDate.slice(0, 7));
  return own(ctx.tx).updateTable('settlementPayoutBatch').set(sums).where('id', '=', batch.id).returningAll().executeTakeFirstOrThrow();
}

/** A row of a batch: to whom as he stands there now. */
async function addItem(ctx: Acting, batch: { id: string; batchNo: string }, lineNo: number, bill: BillRecord): Promise<void> {
  const payee = await own(ctx.tx)
    .selectFrom('settlementAccount as a')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'a.doctorId')
    .selectAll('a')
    .select('d.name')
    .where('a.doctorId', '=', bill.doctorId)
    .executeTakeFirstOrThrow();
  const frozen = await frozenWith(ctx.tx, bill.payerEntityId, [bill.doctorId]);
  const refusal = unpayable(payee, payee.name, bill.failedPayeeNo, frozen.has(bill.doctorId));
  if (refusal) throw refusal;
  await moveBill(ctx, bill, 'addToBatch', '');
  await own(ctx.tx)
    .insertInto('settlementPayoutItem')
    .values({
      batchId: batch.id,
      billId: bill.id,
      doctorId: bill.doctorId,
      bizRef: `${batch.batchNo}-${lineNo}`,
      payeeNo: payee.payeeNo,
      payeeName: payee.realName,
      bankName: payee.bankName,
      branchName: payee.branchName,
      cnapsCode: payee.cnapsCode ?? '',
      accountCipher: payee.bankAccountCipher ?? '',
      accountMasked: payee.bankAccountMasked ?? '',
      grossFen: bill.grossFen,
      netFen: bill.grossFen,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .execute();
}

/** Rows leave their batch, and their bills wait for another one. */
async function cancelItems(ctx: Acting, batchId: string, itemId: string | null): Promise<number> {
  const items = await own(ctx.tx)
    .selectFrom('settlementPayoutItem')
    .selectAll()
    .where('batchId', '=', batchId)
    .where('status', '=', 'INIT')
    .$if(itemId !== null, (rows) => rows.where('id', '=', itemId ?? '0'))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const item of items) {
    const status = await moveState(ctx, payoutItemMachine, {
      targetType: 'settlement.payoutItem',
      targetId: item.id,
      targetNo: item.bizRef,
      action: 'cancel',
      from: item.status,
    });
    await own(ctx.tx)
      .updateTable('settlementPayoutItem')
      .set((eb) => ({ status, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', item.id)
      .execute();
    await moveBill(ctx, await billRecords.lock(ctx.tx, billRecords.everyone, item.billId), 'removeFromBatch', '');
  }
  return items.length;
}

export const removeItem = command(removePayoutItem, async ({ id, version, itemId }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  if (batch.status !== 'DRAFT' && batch.status !== 'REJECTED') throw refuse(settlementErrors.BATCH_CLOSED);
  if ((await cancelItems(ctx, id, itemId)) === 0) throw payoutRecords.missing();
  const sums = await reckon(ctx.tx, id, batch.payerEntityId, batch.taxMonth);
  const row = await own(ctx.tx)
    .updateTable('settlementPayoutBatch')
    .set((eb) => ({ ...sums, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.target({ type: payoutRecords.type, id, no: batch.batchNo });
  return answer(ctx, row);
});

/** The taxes are reckoned for the month of the day on which it is paid. */
export const submit = command(submitPayoutBatch, async ({ id, version, planPayDate }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  if (planPayDate < ctx.today) throw refuseField('planPayDate', '计划付款日不能早于今天');
  const sums = await reckon(ctx.tx, id, batch.payerEntityId, planPayDate.slice(0, 7));
  if (sums.itemCount === 0) throw refuse(settlementErrors.BATCH_EMPTY);
  const nobody = { checkerId: null, checkerName: null, secondCheckerId: null, secondCheckerName: null };
  return answer(ctx, await moveBatch(ctx, batch, 'submit', '', { ...sums, planPayDate, ...nobody }));
});

/** @throws Refusal SCM19001 for one's own */
export const audit = command(auditPayoutBatch, async ({ id, version, decision, opinion }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  const action = decision === 'reject' ? 'reject' : BigInt(batch.netFen) >= SECOND_PAYOUT_FEN ? 'approveFirst' : 'approve';
  const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName };
  return answer(ctx, await moveBatch(ctx, batch, action, opinion, checker));
});
export const auditSecond = command(auditPayoutBatchSecond, async ({ id, version, decision, opinion }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  const checker = { secondCheckerId: ctx.staff.userId, secondCheckerName: ctx.staff.displayName };
  return answer(ctx, await moveBatch(ctx, batch, decision === 'reject' ? 'rejectSecond' : 'approveSecond', opinion, checker));
});
export const returnForTax = command(returnPayoutBatchForTax, async ({ id, version, opinion }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  return answer(ctx, await moveBatch(ctx, batch, 'returnForTax', opinion));
});
export const voidBatch = command(voidPayoutBatch, async ({ id, version, opinion }, ctx) => {
  const batch = await payoutRecords.lockVersion(ctx, id, version);
  const moved = await moveBatch(ctx, batch, 'void', opinion);
  await cancelItems(ctx, id, null);
  return answer(ctx, moved);
});

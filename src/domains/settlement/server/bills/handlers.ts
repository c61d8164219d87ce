import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  auditSettlementBill,
  holdSettlementBill,
  recalcSettlementBill,
  retryPaySettlementBill,
  submitSettlementBill,
  unholdSettlementBill,
  voidSettlementBill,
} from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { billRecords, type BillRecord } from '../access.ts';
import { own } from '../database.ts';
import { requireKnownOutcome } from '../payout/openOutcome.ts';
import { estimateOf, freeIncomes, holdBill, lockIncomes, releaseBill, sumColumns } from './build.ts';
import { isBillable, leastOf, lockLines, sumUp } from './collect.ts';

type Action = keyof typeof billMachine.transitions;
type Change = Partial<Omit<BillRecord, 'id' | 'version' | 'status'>>;

/** Takes a transition of a locked bill. */
export async function moveBill(ctx: Acting, bill: BillRecord, action: Action, opinion: string, change: Change = {}): Promise<BillRecord> {
  const status = await moveState(ctx, billMachine, {
    targetType: billRecords.type,
    targetId: bill.id,
    targetNo: bill.billNo,
    action,
    from: bill.status,
    opinion,
    contributors: [bill.createdBy, bill.submittedBy],
  });
  return own(ctx.tx)
    .updateTable('settlementBill')
    .set((eb) => ({
      ...change,
      status,
      ...(opinion !== '' && { opinion }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', bill.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
const answer = (ctx: CommandContext, row: BillRecord) => ({
  ...actionAnswer(ctx, billMachine, { ...row, state: row.status }),
  state: row.status,
});
const actorOf = ({ staff }: CommandContext) => ({ id: staff.userId, name: staff.displayName });

export const submit = command(submitSettlementBill, async ({ id, version }, ctx) => {
  const bill = await billRecords.lockVersion(ctx, id, version);
  const by = { submittedBy: ctx.staff.userId, submittedByName: ctx.staff.displayName, auditedBy: null, auditedByName: null };
  return answer(ctx, await moveBill(ctx, bill, 'submit', '', by));
});

/** @throws Refusal SCM19001 for whoever started the run, submitted or recalculated the bill */
export const audit = command(auditSettlementBill, async ({ id, version, decision, opinion }, ctx) => {
  const bill = await billRecords.lockVersion(ctx, id, version);
  const by = { auditedBy: ctx.staff.userId, auditedByName: ctx.staff.displayName };
  return answer(ctx, await moveBill(ctx, bill, decision, opinion, by));
});

/** Its lines are chosen again as its run would now. @throws Refusal SCM19029 where that makes no bill */
export const recalc = (kernel: Kernel) =>
  command(recalcSettlementBill, async ({ id, version }, ctx) => {
    const ledger = ledgerOf(kernel);
    const bill = await billRecords.lockVersion(ctx, id, version);
    await freeIncomes(ctx, id);
    const lines = await lockLines(ctx.tx, bill, bill.doctorId);
    const sums = sumUp(bill.period, lines);
    if (!isBillable(sums.grossFen, await leastOf(ctx.tx, bill, bill.doctorId)))
      throw refuse(settlementErrors.TOO_LITTLE, { a: yuan(sums.grossFen, true) });
    const moved = await moveBill(ctx, bill, 'recalc', '', {
      ...sumColumns(sums),
      estTaxFen: String(await estimateOf(ctx, { ...bill, grossFen: String(sums.grossFen) })),
      submittedBy: null,
      submittedByName: null,
      auditedBy: null,
      auditedByName: null,
    });
    await lockIncomes(ctx, id, lines);
    await releaseBill(ctx, ledger, bill, '重新计算', actorOf(ctx));
    await holdBill(ctx, ledger, moved, actorOf(ctx));
    return answer(ctx, moved);
  });

export const hold = command(holdSettlementBill, async ({ id, version, opinion }, ctx) => {
  const bill = await billRecords.lockVersion(ctx, id, version);
  const heldFrom = bill.status === 'CALCULATED' || bill.status === 'SUBMITTED' || bill.status === 'APPROVED' ? bill.status : null;
  return answer(ctx, await moveBill(ctx, bill, 'hold', opinion, { heldFrom, holdReason: opinion }));
});

const BACK = { CALCULATED: 'unholdCalculated', SUBMITTED: 'unholdSubmitted', APPROVED: 'unholdApproved' } as const;
/** It goes on from where it was stopped. */
export const unhold = command(unholdSettlementBill, async ({ id, version, opinion }, ctx) => {
  const bill = await billRecords.lockVersion(ctx, id, version);
  const action = BACK[bill.heldFrom ?? 'CALCULATED'];
  return answer(ctx, await moveBill(ctx, bill, action, opinion, { heldFrom: null, holdReason: null }));
});

/** A payment that failed is tried again once the account is another one. @throws Refusal SCM19043, SCM19052 */
export const retryPay = (kernel: Kernel) =>
  command(retryPaySettlementBill, async ({ id, version, opinion }, ctx) => {
    const bill = await billRecords.lockVersion(ctx, id, version);
    await requireKnownOutcome(ctx.tx, bill);
    const payee = await own(ctx.tx)
      .selectFrom('settlementAccount')
      .select(['payeeNo', 'verifyStatus'])
      .where('doctorId', '=', bill.doctorId)
      .executeTakeFirstOrThrow();
    if (payee.payeeNo === bill.failedPayeeNo || payee.verifyStatus !== 'VERIFIED') throw refuse(settlementErrors.SAME_ACCOUNT);
    const moved = await moveBill(ctx, bill, 'retryPay', opinion);
    // It failed while the account was frozen: only now can it be set aside again.
    if (bill.holdId === null) await holdBill(ctx, ledgerOf(kernel), moved, actorOf(ctx));
    return answer(ctx, moved);
  });

/** Its lines are free for the next month, and what was set aside is payable again. */
export const voidBill = (kernel: Kernel) =>
  command(voidSettlementBill, async ({ id, version, opinion }, ctx) => {
    const bill = await billRecords.lockVersion(ctx, id, version);
    const moved = await moveBill(ctx, bill, 'void', opinion, { heldFrom: null, holdReason: null, holdId: null });
    await freeIncomes(ctx, id);
    if (bill.holdId !== null) await releaseBill(ctx, ledgerOf(kernel), bill, opinion, actorOf(ctx));
    return answer(ctx, moved);
  });

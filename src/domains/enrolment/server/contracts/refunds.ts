import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import { addLateTodo, known, stillOpen } from '#kernel/server/money/inquiry.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { RefundAnswer } from '#kernel/server/pay/port.ts';
import { contractRefundSucceeded } from '#events/enrolment.ts';
import { contractRefundMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { payPermissions } from '../../contract/permissions.ts';
import type { RefundCalc } from '../../contract/rules/refund.ts';
import { json, own } from '../database.ts';
import { contractRecords, payRecords, refundRecords, type ContractRecord, type PayRecord, type RefundRecord } from './access.ts';
import { writeContract } from './move.ts';
import { sendRefundKind } from './refundKind.ts';

type RefundAction = keyof typeof contractRefundMachine.transitions;
type RefundChange = Partial<Omit<RefundRecord, 'id' | 'version' | 'state' | 'contractId' | 'payId' | 'calc'>>;

export async function moveRefund(
  ctx: Acting,
  refund: RefundRecord,
  action: RefundAction,
  change: RefundChange = {},
  opinion?: string,
): Promise<RefundRecord> {
  const state = await moveState(ctx, contractRefundMachine, {
    targetType: refundRecords.type,
    targetId: refund.id,
    targetNo: refund.refundNo,
    action,
    from: refund.state,
    opinion,
    contributors: [refund.makerId],
  });
  return noteRefund(ctx, refund, { ...change, state });
}
const noteRefund = (ctx: Acting, refund: RefundRecord, change: RefundChange & { state?: RefundRecord['state'] }): Promise<RefundRecord> =>
  own(ctx.tx)
    .updateTable('enrolmentContractRefund')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', refund.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Contract, payment, refund: everybody locks in this order. */
export async function lockRefund(tx: Tx, refundId: string) {
  const { contractId, payId } = await own(tx)
    .selectFrom('enrolmentContractRefund')
    .select(['contractId', 'payId'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  const contract = await contractRecords.lock(tx, contractRecords.everyone, contractId);
  const pay = await payRecords.lock(tx, payRecords.everyone, payId);
  return { contract, pay, refund: await refundRecords.lock(tx, refundRecords.everyone, refundId) };
}

interface NewRefund {
  amountFen: bigint;
  calc: RefundCalc;
  reason: string;
  /** Null: the system, which needs no second person. */
  maker: { userId: string; displayName: string } | null;
}

/**
 * A refund of a locked payment that succeeded. It waits for a second person; only what came too late goes back by itself.
 * @throws Refusal SCM14052 for more than is left of the payment, SCM14054 while another refund of it is open
 */
export async function openRefund(ctx: Acting, contract: ContractRecord, pay: PayRecord, refund: NewRefund): Promise<RefundRecord> {
  const left = BigInt(pay.amountFen) - BigInt(pay.refundedFen);
  if (pay.state !== 'SUCCESS' || refund.amountFen > left)
    throw refuse(enrolmentErrors.REFUND_TOO_MUCH, { yuan: yuan(pay.state === 'SUCCESS' ? left : 0n) });
  const open = await own(ctx.tx)
    .selectFrom('enrolmentContractRefund')
    .select('id')
    .where('payId', '=', pay.id)
    .where('state', 'in', ['APPLIED', 'PENDING', 'UNKNOWN'])
    .executeTakeFirst();
  if (open) throw refuse(enrolmentErrors.REFUND_OPEN);
  const state = refund.maker === null ? ('PENDING' as const) : ('APPLIED' as const);
  const row = await own(ctx.tx)
    .insertInto('enrolmentContractRefund')
    .values({
      refundNo: await nextNumber(ctx.tx, 'TK', ctx.today),
      contractId: contract.id,
      payId: pay.id,
      amountFen: String(refund.amountFen),
      calc: json(refund.calc),
      reason: refund.reason,
      makerId: refund.maker?.userId ?? null,
      makerName: refund.maker?.displayName ?? '系统',
      state,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveState(ctx, contractRefundMachine, {
    targetType: refundRecords.type,
    targetId: row.id,
    targetNo: row.refundNo,
    action: state === 'APPLIED' ? 'apply' : 'refundAll',
    from: state,
    opinion: refund.reason,
  });
  if (state === 'PENDING') await ctx.enqueue(sendRefundKind, { refundId: row.id });
  return row;
}

/** Money that came after the contract was over goes back as a whole. */
export const refundLate = (ctx: Acting, contract: ContractRecord, pay: PayRecord): Promise<RefundRecord> =>
  openRefund(ctx, contract, pay, {
    amountFen: BigInt(pay.amountFen),
    calc: { rule: 'FULL', paidFen: pay.amountFen, refundedFen: '0', totalDays: 0, usedDays: 0, refundFen: pay.amountFen },
    reason: '合同关闭后到账，自动全额退款',
    maker: null,
  });

/** The money is back with the payer. */
export async function refundSucceeded(
  ctx: Acting,
  { contract, pay, refund }: Awaited<ReturnType<typeof lockRefund>>,
  change: RefundChange,
): Promise<RefundRecord> {
  const moved = await moveRefund(ctx, refund, 'succeed', { refundedAt: ctx.now, ...change, ...known });
  const plus = (fen: string) => String(BigInt(fen) + BigInt(refund.amountFen));
  await own(ctx.tx)
    .updateTable('enrolmentContractPay')
    .set((eb) => ({ refundedFen: plus(pay.refundedFen), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', pay.id)
    .execute();
  await writeContract(ctx, contract, { refundedFen: plus(contract.refundedFen) });
  await ctx.publish(contractRefundSucceeded, refund.id, {
    refundNo: refund.refundNo,
    payNo: pay.payNo,
    contractId: contract.id,
    contractNo: contract.contractNo,
    patientId: contract.patientId,
    payerName: pay.payerName,
    amount: Number(refund.amountFen),
    channel: pay.channel,
    at: moved.refundedAt ?? ctx.now,
  });
  return moved;
}

const lateOf = ({ id, refundNo, contractId }: RefundRecord) => ({
  businessKey: `enrolment.contractRefund.unknown.${id}`,
  name: `签约退款${refundNo}`,
  link: `/signContractPayDetail?contractId=${contractId}`,
  permission: payPermissions['pay.refundAudit'],
});

/** Brings in what the channel says of a refund; an answer to one that is settled changes nothing. */
export async function settleRefund(kernel: Pick<Kernel, 'ports'>, ctx: Acting, refundId: string, answer: RefundAnswer): Promise<void> {
  const locked = await lockRefund(ctx.tx, refundId);
  const { refund, contract } = locked;
  if (refund.state !== 'PENDING' && refund.state !== 'UNKNOWN') return;
  const late = lateOf(refund);
  if (answer.state === 'UNKNOWN') {
    const open = stillOpen(refund.unknownSince, ctx.now);
    if (refund.state === 'UNKNOWN') await noteRefund(ctx, refund, open);
    else await moveRefund(ctx, refund, 'lose', open);
    return addLateTodo(kernel, ctx.tx, open, late, ctx.now);
  }
  if (refund.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, late.businessKey, ctx.now);
  if (answer.state === 'SUCCESS') return void (await refundSucceeded(ctx, locked, { channelRefundNo: answer.channelRefundNo }));
  await moveRefund(ctx, refund, 'fail', { failReason: answer.failReason, ...known }, answer.failReason ?? undefined);
  await kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey: `enrolment.contractRefund.failed.${refundId}`,
      title: '签约退款失败',
      body: `退款单${refund.refundNo}（合同${contract.contractNo}）：${answer.failReason ?? '渠道拒绝'}`,
      link: late.link,
      permission: payPermissions['pay.refund'].code,
    },
    ctx.now,
  );
}

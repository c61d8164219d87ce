import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, plusMs, dayOf, type Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import {
  addContractTermination,
  auditContractTermination,
  cancelContractTermination,
  previewContractTerminate,
} from '../../contract/calls/contracts.ts';
import { contractMachine, terminationMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { refundOf, type RefundCalc } from '../../contract/rules/refund.ts';
import { own } from '../database.ts';
import { contractRecords, payRecords, terminationRecords, type ContractRecord, type TerminationRecord } from './access.ts';
import { requireNoPayment } from './actions.ts';
import { moveContract } from './move.ts';
import { closeInit } from './pays.ts';
import { publishChange } from './publish.ts';
import { openRefund } from './refunds.ts';
import { confirmTokenOf } from './signLink.ts';

type Maker = { userId: string; displayName: string };

/** So long a termination waits for its second person. */
const CONFIRM_HOURS = 24;

/** @throws Refusal SCM90031, SCM14042, SCM14048, SCM14051, SCM90020 for what stands in the way of ending a contract with that day */
async function requireTerminable(db: Db | Tx, contract: ContractRecord, terminatedOn: Day, today: Day): Promise<void> {
  if (!contractMachine.canStart('terminate', contract.state))
    throw refuse(platformErrors.WRONG_STATE, { state: contractMachine.states[contract.state].label });
  if (contract.openClaimCount > 0) throw refuse(enrolmentErrors.CLAIMS_OPEN, { n: contract.openClaimCount });
  if (terminatedOn > today) throw refuseField('terminatedOn', '终止日期不能晚于今天');
  if (contract.signedAt !== null && terminatedOn < dayOf(contract.signedAt)) throw refuseField('terminatedOn', '终止日期不能早于签署日期');
  if (contract.lastClaimPaidOn !== null && terminatedOn < contract.lastClaimPaidOn) throw refuse(enrolmentErrors.BEFORE_LAST_CLAIM);
  await requireNoPayment(db, contract.id);
}

/** What goes back if the contract ends with that day. */
export function calcOf(contract: ContractRecord, terminatedOn: Day, today: Day): RefundCalc | null {
  const { startDate, endDate, signedAt } = contract;
  if (startDate === null || endDate === null || contract.paidFen === '0') return null;
  return refundOf(
    {
      paidFen: BigInt(contract.paidFen),
      refundedFen: BigInt(contract.refundedFen),
      startDate,
      endDate,
      signedOn: signedAt === null ? null : dayOf(signedAt),
      coolingOffDays: contract.coolingOffDays,
      claimPaidFen: BigInt(contract.claimPaidFen),
    },
    terminatedOn,
    today,
  );
}

export const preview = query(previewContractTerminate, async ({ contractId, terminatedOn }, { db, staff, today }) => {
  const contract = await contractRecords.get(db, staff, contractId);
  await requireTerminable(db, contract, terminatedOn, today);
  const calc = calcOf(contract, terminatedOn, today);
  return { refundFen: Number(calc?.refundFen ?? 0), calc, openClaims: contract.openClaimCount };
});

interface Proposal {
  terminatedOn: Day;
  reason: TerminationRecord['reason'];
  note: string;
}

/** The first of two people: what he asks for holds for a day. @throws Refusal SCM14043 while another one waits */
export async function proposeTermination(ctx: Acting, contract: ContractRecord, { terminatedOn, reason, note }: Proposal, maker: Maker) {
  await requireTerminable(ctx.tx, contract, terminatedOn, ctx.today);
  const open = await own(ctx.tx)
    .selectFrom('enrolmentTermination')
    .select('id')
    .where('contractId', '=', contract.id)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (open) throw refuse(enrolmentErrors.AMENDMENT_PENDING, { message: '已有待确认的终止申请' });
  await moveContract(ctx, contract, 'terminate', {}, { opinion: note });
  return own(ctx.tx)
    .insertInto('enrolmentTermination')
    .values({
      contractId: contract.id,
      terminatedOn,
      reason,
      note,
      refundFen: calcOf(contract, terminatedOn, ctx.today)?.refundFen ?? '0',
      expiresAt: plusMs(ctx.now, hours(CONFIRM_HOURS)),
      makerId: maker.userId,
      makerName: maker.displayName,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const propose = (kernel: Kernel) =>
  command(addContractTermination, async ({ contractId, version, terminatedOn, reason, opinion }, ctx) => {
    const contract = await contractRecords.lockVersion(ctx, contractId, version, (row) => ({
      contractId: row.id,
      terminatedOn: row.terminatedOn,
      reason: row.terminateReason,
      opinion: '',
    }));
    const row = await proposeTermination(ctx, contract, { terminatedOn, reason, note: opinion }, ctx.staff);
    ctx.target({ type: terminationRecords.type, id: row.id, no: contract.contractNo });
    const confirmToken = confirmTokenOf(kernel, row.id, row.expiresAt);
    return { ...actionAnswer(ctx, terminationMachine, row), confirmToken, expiresAt: row.expiresAt };
  });

export async function moveTermination(
  ctx: Acting,
  row: TerminationRecord,
  contractNo: string,
  action: keyof typeof terminationMachine.transitions,
  opinion?: string,
): Promise<TerminationRecord> {
  const state = await moveState(ctx, terminationMachine, {
    targetType: terminationRecords.type,
    targetId: row.id,
    targetNo: contractNo,
    action,
    from: row.state,
    opinion,
    contributors: [row.makerId],
  });
  const decides = action === 'approve' || action === 'reject';
  return own(ctx.tx)
    .updateTable('enrolmentTermination')
    .set((eb) => ({
      state,
      ...(decides && {
        checkerId: ctx.staffOrNull?.userId ?? null,
        checkerName: ctx.staffOrNull?.displayName ?? null,
        opinion: opinion ?? null,
      }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What was paid and goes back, newest payment first; each waits for finance. */
async function draftRefunds(ctx: Acting, contract: ContractRecord, row: TerminationRecord, calc: RefundCalc | null): Promise<void> {
  let left = BigInt(calc?.refundFen ?? 0);
  if (calc === null || left === 0n) return;
  const pays = await own(ctx.tx)
    .selectFrom('enrolmentContractPay')
    .select('id')
    .where('contractId', '=', contract.id)
    .where('state', '=', 'SUCCESS')
    .orderBy('id', 'desc')
    .execute();
  for (const { id } of pays) {
    const pay = await payRecords.lock(ctx.tx, payRecords.everyone, id);
    const free = BigInt(pay.amountFen) - BigInt(pay.refundedFen);
    const amountFen = left < free ? left : free;
    if (amountFen === 0n) continue;
    const maker = { userId: row.makerId, displayName: row.makerName };
    await openRefund(ctx, contract, pay, { amountFen, calc, reason: `合同终止：${row.note}`.slice(0, 200), maker });
    left -= amountFen;
  }
}

/** Contract before termination: everybody locks in this order. */
async function lockTermination(ctx: CommandContext, id: string, version: number) {
  const found = await terminationRecords.get(ctx.tx, ctx.staff, id);
  const contract = await contractRecords.lock(ctx.tx, ctx.staff, found.contractId);
  const row = await terminationRecords.lockVersion(ctx, id, version, (one) => ({ id: one.id, opinion: one.opinion ?? '' }));
  return { contract, row };
}

/** A termination that was agreed is carried out: the contract ends with its day, and what is owed back waits for finance. */
export async function endContract(ctx: Acting, contract: ContractRecord, row: TerminationRecord): Promise<ContractRecord> {
  const calc = calcOf(contract, row.terminatedOn, dayOf(row.createdAt));
  const change = { terminatedOn: row.terminatedOn, terminateReason: row.reason, nextReviewOn: null };
  const ended = await moveContract(ctx, contract, 'end', change, { opinion: row.note });
  await closeInit(ctx, contract.id);
  await cancelOpenAmendment(ctx, contract);
  await draftRefunds(ctx, ended, row, calc);
  await publishChange(ctx, ended, 'terminated', { reason: row.reason, onDate: row.terminatedOn });
  return ended;
}

/** The second of two people. @throws Refusal SCM14044 for the first one; SCM90031 where a day has passed since */
export const confirm = (kernel: Kernel) =>
  command(auditContractTermination, async ({ id, version, decision, opinion, confirmToken }, ctx) => {
    const { contract, row } = await lockTermination(ctx, id, version);
    const moved = await moveTermination(ctx, row, contract.contractNo, decision, opinion);
    if (decision === 'reject') return actionAnswer(ctx, terminationMachine, moved);
    if (row.expiresAt <= ctx.now) throw refuse(platformErrors.WRONG_STATE, { state: terminationMachine.states.EXPIRED.label });
    if (confirmToken !== confirmTokenOf(kernel, row.id, row.expiresAt))
      throw refuseField('confirmToken', '确认凭证不正确，请刷新页面后重试');
    await requireTerminable(ctx.tx, contract, row.terminatedOn, ctx.today);
    await endContract(ctx, contract, row);
    return actionAnswer(ctx, terminationMachine, moved);
  });

/** What was asked to be changed of a contract that is over comes to nothing. */
async function cancelOpenAmendment(ctx: Acting, contract: ContractRecord): Promise<void> {
  await own(ctx.tx)
    .updateTable('enrolmentAmendment')
    .set((eb) => ({
      state: 'CANCELLED',
      decidedAt: ctx.now,
      opinion: '合同已终止',
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('contractId', '=', contract.id)
    .where('state', '=', 'PENDING')
    .execute();
}

export const withdraw = command(cancelContractTermination, async ({ id, version }, ctx) => {
  const { contract, row } = await lockTermination(ctx, id, version);
  return actionAnswer(ctx, terminationMachine, await moveTermination(ctx, row, contract.contractNo, 'cancel'));
});

/** A day has passed and nobody confirmed it. */
export async function expireTermination(ctx: Acting, id: string): Promise<void> {
  const row = await terminationRecords.lock(ctx.tx, terminationRecords.everyone, id);
  if (row.state !== 'PENDING' || row.expiresAt > ctx.now) return;
  const { contractNo } = await contractRecords.get(ctx.tx, contractRecords.everyone, row.contractId);
  await moveTermination(ctx, row, contractNo, 'expire');
}

import { premiumOrderApproved } from '#events/policy.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { attachAll, detach } from '#domains/files/server/index.ts';
import {
  auditPremiumOrder,
  modifyPremiumOrder,
  reversePremiumOrder,
  setInsurerInvoice,
  voidPremiumOrder,
} from '../../contract/calls/premium.ts';
import { policyErrors } from '../../contract/errors.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { isPassed, premiumMachine, SECOND_FROM, type PremiumState } from '../../contract/premiumStates.ts';
import { POLICY_VOUCHER } from '../../contract/purposes.ts';
import { policyRecords, premiumRecords, requireInsurerNumbers, type PolicyRecord, type PremiumRecord } from '../access.ts';
import { own } from '../database.ts';
import { refreshPolicy } from '../cover/cache.ts';
import { lockedPolicy } from '../endorsements/carryOut.ts';
import { desk } from './desk.ts';
import { premiumActionsOf } from './list.ts';
import { requireMaker } from './maker.ts';
import { recomputedLines, recomputedSum } from './recompute.ts';
import { reverseOrder } from './withdraw.ts';

type Answered = Pick<PremiumRecord, 'id' | 'state' | 'version' | 'makerId' | 'firstCheckerId'>;
const answerOf = (ctx: CommandContext, row: Answered) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: premiumActionsOf(row, (permission) => ctx.has(permission), ctx.staff.userId),
});

type Action = Parameters<typeof premiumMachine.canStart>[0];
const move = (ctx: CommandContext, row: PremiumRecord, action: Action, opinion?: string): Promise<PremiumState> =>
  moveState(ctx, premiumMachine, {
    targetType: 'policy.premiumOrder',
    targetId: row.id,
    targetNo: row.premiumOrderNo,
    action,
    from: row.state,
    opinion,
  });

interface Decided {
  state: PremiumState;
  makerId?: string;
  makerName?: string;
  firstCheckerId?: string | null;
  firstCheckerName?: string | null;
  secondCheckerId?: string | null;
  secondCheckerName?: string | null;
  rejectReasons?: string[];
  opinion?: string;
}
const written = (ctx: CommandContext, id: string, decided: Decided): Promise<PremiumRecord> =>
  own(ctx.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({ ...decided, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The policy first, then its order: the lock order of all writers. */
async function locked(ctx: CommandContext, id: string, version: number) {
  const { policyId } = await premiumRecords.get(ctx.tx, ctx.staff, id);
  const policy = await lockedPolicy(ctx.tx, policyId);
  return { policy, row: await premiumRecords.lockVersion(ctx, id, version) };
}
type Locked = Awaited<ReturnType<typeof locked>>;

async function publishApproved(ctx: CommandContext, { policy, row }: Locked): Promise<void> {
  await refreshPolicy(ctx.tx, policy.id, ctx.today);
  await ctx.publish(premiumOrderApproved, row.id, {
    premiumOrderId: row.id,
    policyId: policy.id,
    productId: policy.productId,
    insurerId: policy.insurerId,
    adcode: policy.adcode,
    direction: row.direction,
    amountFen: (row.direction === 'COLLECT' ? 1 : -1) * Number(row.amountFen),
    coverageStart: row.periodFrom,
    coverageEnd: row.periodTo,
  });
}

/** @throws Refusal SCM13045 where the lines say another amount than the order */
async function requireAmount(ctx: CommandContext, { policy, row }: Locked): Promise<void> {
  const lines = await recomputedLines(ctx.tx, row, policy);
  const sum = recomputedSum(lines);
  const wrong = lines.some(({ amountFen, recomputedFen }) => amountFen !== recomputedFen);
  if (wrong || sum !== BigInt(row.amountFen)) throw refuse(policyErrors.RECOMPUTED_OTHERWISE, { a: yuan(sum), b: yuan(row.amountFen) });
}

interface Verdict {
  opinion: string;
  rejectReasons: string[];
}
type Audit = (ctx: CommandContext, at: Locked, verdict: Verdict) => Promise<PremiumRecord>;

/** The insurer's figure is another one; a line that shows none compares none. */
const differsFromInsurer = ({ statedFen, amountFen }: PremiumRecord, { productLine }: Pick<PolicyRecord, 'productLine'>): boolean =>
  POLICY_LINE_VIEW[productLine].insurerNumbers && statedFen !== null && statedFen !== amountFen;

const requireReason = ({ rejectReasons }: Verdict) => {
  if (rejectReasons.length === 0) throw refuse(policyErrors.REJECT_REASON_MISSING);
};

const audits: Record<'submit' | 'recall' | 'approve' | 'reject' | 'secondApprove' | 'secondReject', Audit> = {
  async submit(ctx, { row, policy }, { opinion }) {
    requireMaker(ctx, row);
    if (differsFromInsurer(row, policy) && row.fileIds.length === 0) throw refuse(policyErrors.VOUCHER_MISSING);
    const state = await move(ctx, row, 'submit', opinion);
    const maker = { makerId: ctx.staff.userId, makerName: ctx.staff.displayName };
    return written(ctx, row.id, { state, ...maker, firstCheckerId: null, firstCheckerName: null, rejectReasons: [], opinion });
  },
  async recall(ctx, { row }) {
    if (row.makerId !== ctx.staff.userId) throw refuse(policyErrors.OWN_ORDER, { message: '只有经办人可以撤回' });
    await desk.requireFree(ctx, row);
    const state = await move(ctx, row, 'recall');
    return written(ctx, row.id, { state });
  },
  async approve(ctx, at, { opinion }) {
    const { row, policy } = at;
    await desk.requireOther(ctx, row);
    if (!premiumMachine.canStart('approve', row.state))
      throw refuse(platformErrors.WRONG_STATE, { state: premiumMachine.states[row.state].label });
    await desk.requireHeld(ctx, row);
    await requireAmount(ctx, at);
    if (differsFromInsurer(row, policy) && opinion === '') throw refuseField('opinion', '金额与保司不一致，请填写意见');
    const second = BigInt(row.amountFen) >= SECOND_FROM || row.backdatedDays > policy.maxBackdateDays;
    const state = await move(ctx, row, second ? 'passOn' : 'approve', opinion);
    await desk.drop(ctx.tx, row.id);
    const now = await written(ctx, row.id, { state, firstCheckerId: ctx.staff.userId, firstCheckerName: ctx.staff.displayName, opinion });
    if (!second) await publishApproved(ctx, { policy, row: now });
    return now;
  },
  async reject(ctx, { row }, verdict) {
    await desk.requireOther(ctx, row);
    requireReason(verdict);
    await desk.requireHeld(ctx, row);
    const state = await move(ctx, row, 'reject', verdict.opinion);
    await desk.drop(ctx.tx, row.id);
    return written(ctx, row.id, { state, ...verdict });
  },
  async secondApprove(ctx, at, { opinion }) {
    await desk.requireOther(ctx, at.row, policyErrors.SAME_CHECKER, [at.row.firstCheckerId]);
    await requireAmount(ctx, at);
    const state = await move(ctx, at.row, 'secondApprove', opinion);
    const now = await written(ctx, at.row.id, {
      state,
      secondCheckerId: ctx.staff.userId,
      secondCheckerName: ctx.staff.displayName,
      opinion,
    });
    await publishApproved(ctx, { policy: at.policy, row: now });
    return now;
  },
  async secondReject(ctx, { row }, verdict) {
    await desk.requireOther(ctx, row, policyErrors.SAME_CHECKER, [row.firstCheckerId]);
    requireReason(verdict);
    return written(ctx, row.id, { state: await move(ctx, row, 'secondReject', verdict.opinion), ...verdict });
  },
};

const audit = command(auditPremiumOrder, async ({ id, version, action, rejectReasons, opinion }, ctx) => {
  const row = await audits[action](ctx, await locked(ctx, id, version), { opinion: opinion.trim(), rejectReasons });
  return answerOf(ctx, row);
});

const modify = command(modifyPremiumOrder, async ({ id, version, dueOn, statedFen, fileIds }, ctx) => {
  const row = await premiumRecords.lockVersion(ctx, id, version);
  if (!premiumMachine.canStart('submit', row.state))
    throw refuse(platformErrors.WRONG_STATE, { state: premiumMachine.states[row.state].label });
  requireMaker(ctx, row);
  const { productLine } = await policyRecords.get(ctx.tx, ctx.staff, row.policyId);
  requireInsurerNumbers(productLine, { statedFen: { label: '保司金额', value: statedFen } });
  const dropped = row.fileIds.filter((fileId) => !fileIds.includes(fileId));
  const owner = { ownerType: 'policy.premiumOrder', ownerId: id, field: 'files' };
  await detach(ctx.tx, { fileIds: dropped, ...owner }, ctx.now);
  await attachAll(ctx.tx, [{ fileIds, purpose: POLICY_VOUCHER, ...owner, userId: ctx.staff.userId }], ctx.now);
  const stated = statedFen === null ? null : String(statedFen);
  ctx.changed(
    [
      { path: 'dueOn', label: '到期日', before: row.dueOn, after: dueOn },
      { path: 'statedFen', label: '保司金额', before: row.statedFen && yuan(row.statedFen), after: stated && yuan(stated) },
      { path: 'fileIds', label: '凭证', before: `${row.fileIds.length}个`, after: `${fileIds.length}个` },
    ].filter(({ before, after }) => before !== after),
  );
  ctx.target({ type: 'policy.premiumOrder', id, no: row.premiumOrderNo });
  const now = await own(ctx.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({
      dueOn,
      statedFen: stated,
      fileIds,
      ...updatedColumns(ctx),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return answerOf(ctx, now);
});

const takeOut = command(voidPremiumOrder, async ({ id, version, opinion }, ctx) => {
  const { row } = await locked(ctx, id, version);
  return answerOf(ctx, await written(ctx, id, { state: await move(ctx, row, 'void', opinion), opinion }));
});

const reverse = command(reversePremiumOrder, async ({ id, version, opinion }, ctx) => {
  const { row, policy } = await locked(ctx, id, version);
  await move(ctx, row, 'reverse', opinion);
  if (BigInt(row.settledFen) > 0n) throw refuse(policyErrors.MONEY_ON_ORDER);
  const counter = await reverseOrder(ctx, id, opinion);
  await refreshPolicy(ctx.tx, policy.id, ctx.today);
  return { ...answerOf(ctx, await premiumRecords.get(ctx.tx, ctx.staff, id)), counterOrderNo: counter.premiumOrderNo };
});

/** The insurer issues its invoices itself; its number is recorded, or taken off again. */
const invoice = command(setInsurerInvoice, async ({ id, version, insurerInvoiceNo }, ctx) => {
  const row = await premiumRecords.lockVersion(ctx, id, version);
  if (!isPassed(row.state)) throw refuse(platformErrors.WRONG_STATE, { state: premiumMachine.states[row.state].label });
  const { productLine } = await policyRecords.get(ctx.tx, ctx.staff, row.policyId);
  requireInsurerNumbers(productLine, { insurerInvoiceNo: { label: '保司发票号', value: insurerInvoiceNo } });
  ctx.target({ type: 'policy.premiumOrder', id, no: row.premiumOrderNo });
  ctx.changed([{ path: 'insurerInvoiceNo', label: '保司发票号', before: row.insurerInvoiceNo, after: insurerInvoiceNo }]);
  const now = await own(ctx.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({ insurerInvoiceNo, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return answerOf(ctx, now);
});

export const auditHandlers = [audit, modify, takeOut, reverse, invoice];

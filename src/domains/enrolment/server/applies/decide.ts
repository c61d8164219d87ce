import { applySupplementRequested } from '#events/enrolment.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { auditSignContract, type AuditAction } from '../../contract/calls/appliesWork.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { applyPermissions as may } from '../../contract/permissions.ts';
import { revokeContract } from '../contracts/open.ts';
import { countHits } from '../marks/read.ts';
import { enrolReview } from '../review.ts';
import { advance, approve, refuseApply, toInsurer, toRecheck } from './advance.ts';
import { paused, stopped } from './clock.ts';
import { decidersOf, keepDecision } from './decisions.ts';
import { requireFree, submitApply } from './enter.ts';
import { publishApply } from './events.ts';
import { findAgain } from './facts.ts';
import { insurerDecides } from './insurer.ts';
import { applyRecords, APPLY_TARGET, desk, ownerOf, type ApplyRecord } from './records.ts';
import { APPEAL_DAYS } from './offered.ts';
import { reopen } from './reopen.ts';
import { afterReview, nextStep, openChecks, stoppingChecks } from './rules.ts';

type Verdict = Omit<CheckedInputOf<typeof auditSignContract>, 'applyId' | 'version' | 'leaseToken'>;
/** Whoever decides: somebody of the staff, with his rights. */
type Deciding = Acting & Pick<CommandContext, 'staff' | 'has'>;
type Act = (kernel: Kernel, ctx: Deciding, apply: ApplyRecord, verdict: Verdict) => Promise<ApplyRecord>;

const FIRST: ReadonlySet<AuditAction> = new Set(['pass', 'supplement', 'reject']);
const SECOND: ReadonlySet<AuditAction> = new Set(['recheckPass', 'recheckReturn', 'recheckReject']);

/** Who may decide. @throws Refusal SCM14011, SCM14013, SCM14014 */
async function requireReviewer(ctx: CommandContext, apply: ApplyRecord, action: AuditAction, token: string | undefined): Promise<void> {
  if (FIRST.has(action)) await desk.requireOther(ctx, apply, errors.OWN_ENTRY);
  else if (SECOND.has(action)) {
    const also = apply.appealedAt === null ? [apply.firstReviewerId] : await decidersOf(ctx.tx, apply.id);
    await desk.requireOther(ctx, apply, errors.SAME_REVIEWER, also);
  } else return;
  if (applyMachine.canStart(action, apply.state)) await desk.requireHeld(ctx, apply, token);
}

/** @throws Refusal SCM14020 to SCM14023 */
async function judged(kernel: Kernel, ctx: Deciding, apply: ApplyRecord) {
  const findings = await findAgain(kernel, ctx, apply);
  const review = enrolReview(kernel.secrets);
  const open = openChecks(findings.checks).length;
  if (open > 0) throw refuse(errors.CHECKS_OPEN, { n: open });
  const missing = findings.checks.find(({ checkCode, machineResult }) => checkCode === 'E07' && machineResult === 'FAIL');
  if (missing) throw refuse(errors.MATERIAL_MISSING, { names: missing.explain.replace('缺少', '') });
  const pending = await review.duplicates.pending(ctx.tx, ownerOf(apply));
  if (pending > 0) throw refuse(errors.DUPLICATES_OPEN, { n: pending });
  const stopping = stoppingChecks(findings.checks);
  if (stopping.length > 0) throw refuse(errors.HARD_FAILED, { names: stopping.map(({ question }) => question).join('、') });
  return findings;
}

const pass: Act = async (kernel, ctx, apply, { opinion, internalNote }) => {
  const { checks, config, forced, marks } = await judged(kernel, ctx, apply);
  const next = nextStep({ ...apply, ...config, checks, forced });
  await keepDecision(ctx, apply, { level: 1, verdict: 'PASS', internalNote });
  const first = { firstReviewerId: ctx.staff.userId, firstReviewerName: ctx.staff.displayName, internalNote };
  if (next.state === 'RECHECK') {
    const mark = next.reason === 'MARK' ? marks.find(({ markType }) => markType === 'FORCE_RECHECK') : undefined;
    if (mark) await countHits(ctx.tx, [mark.markId]);
    return toRecheck(ctx, apply, 'passToRecheck', opinion, next.reason, first);
  }
  if (next.state === 'WAIT_INSURER') return toInsurer(ctx, apply, 'passToInsurer', opinion, first);
  return approve(kernel, ctx, apply, 'pass', opinion, first);
};

const supplement: Act = async (kernel, ctx, apply, { supplement: wish, internalNote, opinion }) => {
  if (!wish) throw refuse(errors.NO_SUPPLEMENT_ITEM);
  const asked = await enrolReview(kernel.secrets).supplements.ask(ctx, ownerOf(apply), wish, ctx.has(may['apply.supervise']));
  const applicantWording = asked.items
    .map(({ materialType, wording }) => `${materialTypes.label(materialType)}${wording ? `：${wording}` : ''}`)
    .join('；');
  await keepDecision(ctx, apply, { level: 1, verdict: 'SUPPLEMENT', applicantWording, internalNote });
  const row = await advance(ctx, apply, 'supplement', opinion, {
    applicantWording: applicantWording.slice(0, 500),
    internalNote,
    preferUserId: ctx.staff.userId,
    supplementCount: apply.supplementCount + 1,
    ...(await paused(ctx.tx, apply, ctx.now)),
  });
  if (row.patientId !== null)
    await ctx.publish(applySupplementRequested, row.id, {
      applyId: row.id,
      applyNo: row.applyNo,
      patientId: row.patientId,
      applicantWording,
      dueAt: asked.dueAt,
    });
  return row;
};

/** @throws Refusal SCM14024, SCM14025 */
function requireReasons({ rejectReasons, applicantWording }: Verdict): void {
  if (rejectReasons.length === 0) throw refuse(errors.NO_REASON);
  if (applicantWording === '') throw refuse(errors.NO_WORDING);
}
const rejecting =
  (level: 1 | 2): Act =>
  async (_kernel, ctx, apply, verdict) => {
    requireReasons(verdict);
    const { action, rejectReasons, applicantWording, internalNote } = verdict;
    const words = { reasons: rejectReasons, applicantWording, internalNote };
    await keepDecision(ctx, apply, { level, verdict: 'REJECT', ...words });
    return refuseApply(ctx, apply, action, verdict.opinion || applicantWording, { rejectReasons, applicantWording, internalNote });
  };

const recheckPass: Act = async (kernel, ctx, apply, { opinion, internalNote }) => {
  const { config } = await judged(kernel, ctx, apply);
  await keepDecision(ctx, apply, { level: 2, verdict: 'PASS', internalNote });
  if (afterReview({ ...apply, ...config }).state === 'WAIT_INSURER') return toInsurer(ctx, apply, 'recheckPassToInsurer', opinion);
  return approve(kernel, ctx, apply, 'recheckPass', opinion, { rejectReasons: [], applicantWording: '' });
};

const recheckReturn: Act = async (kernel, ctx, apply, { action, opinion, internalNote }) => {
  await keepDecision(ctx, apply, { level: 2, verdict: 'RETURN', internalNote: internalNote || opinion });
  const row = await advance(ctx, apply, action, opinion, { preferUserId: apply.firstReviewerId });
  return reopen(kernel, ctx, row, true);
};

const withdraw: Act = async (kernel, ctx, apply, { opinion }) => withdrawApply(kernel, ctx, apply, opinion);

const appeal: Act = async (_kernel, ctx, apply, { action, opinion }) => {
  if (apply.productLine === 'HMO')
    throw refuse(platformErrors.WRONG_STATE, { state: '' }, { message: 'HMO入组申请不受理申诉，请重新申请' });
  if (apply.appealedAt !== null) throw refuse(errors.APPEALED);
  if (apply.decidedAt === null || plusMs(apply.decidedAt, days(APPEAL_DAYS)) < ctx.now) throw refuse(errors.APPEAL_LATE);
  await requireFree(ctx.tx, apply);
  const row = await toRecheck(ctx, apply, action, opinion, 'APPEAL', { appealedAt: ctx.now, decidedAt: null });
  await publishApply(ctx, row, 'submitted');
  return row;
};

const revokeApproval: Act = async (kernel, ctx, apply, { action, opinion }) => {
  const { contractId } = apply;
  if (contractId === null) throw refuse(platformErrors.NOT_FOUND, { message: '合同不存在' });
  await revokeContract(kernel, ctx, contractId, opinion);
  await requireFree(ctx.tx, apply);
  const row = await advance(ctx, apply, action, opinion, { contractId: null, decidedAt: null });
  const open = await reopen(kernel, ctx, row, true);
  await publishApply(ctx, open, 'submitted');
  return open;
};

const effects: Readonly<Record<AuditAction, Act>> = {
  submit: (kernel, ctx, apply) => submitApply(kernel, ctx, apply),
  pass,
  supplement,
  reject: rejecting(1),
  recheckPass,
  recheckReturn,
  recheckReject: rejecting(2),
  insurerAccept: byInsurer('ACCEPT'),
  insurerReject: byInsurer('REJECT'),
  insurerReturn: byInsurer('RETURN'),
  withdraw,
  appeal,
  revokeApproval,
};

/** What a decision does to an application; who may take it was asked before. */
export const carryOutDecision: Act = (kernel, ctx, apply, verdict) => effects[verdict.action](kernel, ctx, apply, verdict);

/** An insurer's conclusion that somebody registers from its paper. @throws Refusal SCM14030, SCM14034 */
function byInsurer(decision: 'ACCEPT' | 'REJECT' | 'RETURN'): Act {
  return async (kernel, ctx, apply, { opinion, insurer }) => {
    if (!insurer || insurer.fileId === null) throw refuse(errors.NO_INSURER_PROOF);
    return insurerDecides(kernel, ctx, apply, { decision, opinion, decidedAt: ctx.now, ...insurer });
  };
}

/** Nothing is asked for any more. */
export async function withdrawApply(kernel: Kernel, ctx: Parameters<typeof advance>[0], apply: ApplyRecord, opinion: string) {
  await enrolReview(kernel.secrets).supplements.cancel(ctx, ownerOf(apply));
  const row = await advance(ctx, apply, 'withdraw', opinion, { preferUserId: null, ...stopped });
  await publishApply(ctx, row, 'withdrawn');
  return row;
}

export const audit = (kernel: Kernel) =>
  command(auditSignContract, async ({ applyId, version, leaseToken, ...verdict }, ctx) => {
    const { action } = verdict;
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    ctx.target({ type: APPLY_TARGET, id: apply.id, no: apply.applyNo, looked: true });
    await requireReviewer(ctx, apply, action, leaseToken);
    if (!applyMachine.canStart(action, apply.state))
      throw refuse(platformErrors.WRONG_STATE, { state: applyMachine.states[apply.state].label });
    await requireVersion(ctx, APPLY_TARGET, apply, version);
    const row = await carryOutDecision(kernel, ctx, apply, verdict);
    return { ...actionAnswer(ctx, applyMachine, row), recheckReason: row.recheckReason };
  });

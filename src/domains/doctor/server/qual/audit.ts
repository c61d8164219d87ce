import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { getHospitalApply } from '#domains/institution/server/index.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { auditQualApply, type QualAction } from '../../contract/calls/qual.ts';
import { qualApplyMachine, type QualApplyState } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { json, ownTx } from '../database.ts';
import { applyRecords, type ApplyRecord } from './payload.ts';
import { applyApproved } from './approve.ts';
import { checkNames, findAgain } from './checks/findings.ts';
import { desk } from './desk.ts';
import { notifyOutcome } from './notify.ts';
import { nextStep, openChecks, stoppingChecks } from './checks/checks.ts';
import { APPLY_TARGET, auditTodo, moveDoctor, recheckTodo } from './submit.ts';

/** @throws Refusal SCM07029 while the hospital that was applied for is not decided; takes the decided one over. */
async function settleHospital(ctx: Acting, apply: ApplyRecord): Promise<ApplyRecord> {
  const { facts } = apply.payload;
  if (facts.hospitalId !== null) return apply;
  const applied = facts.hospitalApplyId === null ? null : await getHospitalApply(ctx.tx, facts.hospitalApplyId);
  if (!applied?.resultHospitalId) throw refuse(doctorErrors.HOSPITAL_PENDING);
  const payload = {
    ...apply.payload,
    hospitalApplyName: null,
    facts: { ...facts, hospitalId: applied.resultHospitalId, hospitalApplyId: null },
  };
  await ownTx(ctx.tx)
    .updateTable('doctorQualApply')
    .set({ payload: json(payload), hospitalApplyId: null })
    .where('id', '=', apply.id)
    .execute();
  return { ...apply, payload };
}

/** @throws Refusal SCM07027 or SCM07028; what the machine finds now is kept either way. */
async function judged(kernel: Kernel, ctx: Acting, apply: ApplyRecord, action: QualAction) {
  const checks = await findAgain(kernel, ctx, apply);
  // The second person judges the case, not each check: a finding that has become harmless needs no new verdict.
  const open = action === 'pass' ? openChecks(checks) : [];
  if (open.length > 0) throw refuse(doctorErrors.CHECKS_OPEN, { n: open.length }, { keepWrites: true });
  const stopping = stoppingChecks(checks);
  if (stopping.length > 0) throw refuse(doctorErrors.HARD_FAIL, { names: checkNames(stopping) }, { keepWrites: true });
  return checks;
}

interface Verdict {
  action: QualAction;
  opinion: string;
  rejectReasons: readonly string[];
  doctorWording: string;
  internalNote: string;
  items: readonly string[];
}

/** What a verdict has to say. @throws Refusal SCM07030, SCM07031, SCM07032. */
function requireWording({ action, items, rejectReasons, doctorWording }: Verdict): void {
  if ((action === 'return' || action === 'recheckReturn') && items.length === 0) throw refuse(doctorErrors.ITEMS_MISSING);
  if ((action === 'reject' || action === 'recheckReject') && rejectReasons.length === 0) throw refuse(doctorErrors.REASON_MISSING);
  if ((action === 'reject' || action === 'recheckReject') && doctorWording === '') throw refuse(doctorErrors.WORDING_MISSING);
}

const isRecheck = (action: QualAction) => action === 'recheckPass' || action === 'recheckReturn' || action === 'recheckReject';

/** Who may decide. @throws Refusal SCM07024, SCM07026, SCM07033, SCM90031. */
async function requireAuditor(ctx: CommandContext, apply: ApplyRecord, action: QualAction, leaseToken: string | undefined): Promise<void> {
  if (action === 'withdraw') return;
  if (isRecheck(action)) return desk.requireOther(ctx, apply, doctorErrors.SAME_AUDITOR, [apply.firstAuditorId]);
  await desk.requireOther(ctx, apply);
  // Somebody else may have taken it over meanwhile; a decided case says what it became.
  if (apply.state === 'PENDING' || apply.state === 'REVIEWING') await desk.requireHeld(ctx, apply, leaseToken);
}

export const audit = (kernel: Kernel) =>
  command(auditQualApply, async ({ applyId, version, leaseToken, ...verdict }, ctx) => {
    const { action } = verdict;
    let apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    const from = apply.state;
    await requireAuditor(ctx, apply, action, leaseToken);
    if (!qualApplyMachine.canStart(action, from)) throw refuse(platformErrors.WRONG_STATE, { state: qualApplyMachine.states[from].label });
    await requireVersion(ctx, APPLY_TARGET, apply, version);
    requireWording(verdict);
    const passing = action === 'pass' || action === 'recheckPass';
    if (passing) apply = await settleHospital(ctx, apply);
    const checks = passing ? await judged(kernel, ctx, apply, action) : [];
    const next = action === 'pass' ? nextStep(apply.applyType, checks) : null;
    const toRecheck = next?.state === 'RECHECK' ? next.reason : null;
    const opinion = verdict.opinion || verdict.doctorWording;
    const state = await moveState(ctx, qualApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: applyId,
      targetNo: apply.applyNo,
      action: toRecheck ? 'toRecheck' : action,
      from,
      opinion,
    });
    const decided = state === 'APPROVED' || state === 'REJECTED' || state === 'WITHDRAWN';
    const row = await ownTx(ctx.tx)
      .updateTable('doctorQualApply')
      .set((eb) => ({
        ...noLease,
        state,
        rejectReasons: [...verdict.rejectReasons],
        returnItems: [...verdict.items],
        doctorWording: verdict.doctorWording,
        internalNote: verdict.internalNote || apply.internalNote,
        ...(action === 'pass'
          ? { firstAuditorId: ctx.staff.userId, firstAuditorName: ctx.staff.displayName, recheckReason: toRecheck }
          : {}),
        ...(isRecheck(action) ? { secondAuditorId: ctx.staff.userId } : {}),
        ...(state === 'RETURNED' ? { returnedAt: ctx.now } : {}),
        ...(decided ? { decidedAt: ctx.now } : {}),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', applyId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    await desk.drop(ctx.tx, applyId);
    await applyVerdict(kernel, ctx, apply, state, { staff: opinion, doctor: verdict.doctorWording || verdict.opinion });
    return { ...actionAnswer(ctx, qualApplyMachine, row), state, recheckReason: toRecheck };
  });

/** What a new state means for the doctor, and for whoever waits. */
async function applyVerdict(
  kernel: Kernel,
  ctx: Acting,
  apply: ApplyRecord,
  state: QualApplyState,
  words: { staff: string; doctor: string },
): Promise<void> {
  const opinion = words.staff;
  const { notices } = kernel.ports;
  const doctor = await ownTx(ctx.tx)
    .selectFrom('doctorDoctor')
    .select(['id', 'doctorNo', 'name', 'qualState'])
    .where('id', '=', apply.doctorId)
    .executeTakeFirstOrThrow();
  if (state === 'APPROVED') await applyApproved(kernel, ctx, apply);
  if (state === 'RETURNED') await moveDoctor(ctx, doctor, 'return', opinion);
  if (state === 'REJECTED' && apply.applyType === 'FIRST') await moveDoctor(ctx, doctor, 'reject', opinion);
  if (state === 'WITHDRAWN' && apply.applyType === 'FIRST') await moveDoctor(ctx, doctor, 'withdraw', opinion);
  await notices.closeTodo(ctx.tx, auditTodo(apply.id), ctx.now);
  await notices.closeTodo(ctx.tx, recheckTodo(apply.id), ctx.now);
  if (state === 'RECHECK') {
    await notices.addTodo(
      ctx.tx,
      {
        businessKey: recheckTodo(apply.id),
        title: `医生资质待医务复核：${doctor.name}（${apply.applyNo}）`,
        link: `/doctorManagement?tab=recheck&applyId=${apply.id}`,
        permission: doctorPermissions['qual.recheck'].code,
      },
      ctx.now,
    );
  } else await notifyOutcome(kernel, ctx, { ...apply, name: doctor.name }, state, words);
}

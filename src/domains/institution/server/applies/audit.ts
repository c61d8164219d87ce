import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { hospitalApplyRejected, hospitalApproved } from '#events/institution.ts';
import { auditHospital } from '../../contract/applyCalls.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { hospitalLabels, type HospitalFacts } from '../../contract/hospitalCalls.ts';
import { applyMachine } from '../../contract/states.ts';
import { applyRecords, hospitalRecords, type ApplyRecord } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { json, ownTx } from '../database.ts';
import { refreshPairs } from '../hospitals/candidates.ts';
import { switchState } from '../hospitals/changeState.ts';
import { blankFacts, factsOf } from '../hospitals/facts.ts';
import { insertHospital, updateHospital } from '../hospitals/save.ts';
import { requirePlace } from '../regions.ts';
import { normName } from '../rules/normName.ts';
import { desk } from './desk.ts';
import { applyTodoKey, type ApplyPayload } from './submit.ts';

const requiredKeys = ['name', 'level', 'kind', 'ownership', 'adcode', 'address'] as const;

const present = (payload: ApplyPayload) =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as Partial<HospitalFacts>;

/** @throws Refusal SCM06023 naming the facts that are missing. */
function completeFacts(payload: ApplyPayload): HospitalFacts {
  const missing = requiredKeys.filter((key) => payload[key] === undefined || payload[key] === '');
  if (missing.length > 0) throw refuse(institutionErrors.INCOMPLETE, { fields: missing.map((key) => hospitalLabels[key]).join('、') });
  return { ...blankFacts, ...present(payload) };
}

const sorted = (facts: object) => JSON.stringify(Object.entries(facts).toSorted(([a], [b]) => a.localeCompare(b)));

async function approve(
  ctx: CommandContext,
  apply: ApplyRecord,
  payload: ApplyPayload,
  notDuplicate: readonly string[],
  opinion: string,
): Promise<string> {
  if (apply.applyType === 'CREATE') {
    const source = apply.applicantType === 'STAFF' ? 'STAFF' : apply.applicantType;
    return (await insertHospital(ctx, completeFacts(payload), source, notDuplicate)).id;
  }
  const hospital = await hospitalRecords.lock(ctx.tx, ctx.staff, apply.hospitalId!);
  if (hospital.state === 'MERGED') throw refuse(institutionErrors.ALREADY_MERGED);
  if (sorted(factsOf(hospital)) !== sorted(apply.before as object)) throw refuse(institutionErrors.FACTS_MOVED);
  if (apply.applyType === 'DISABLE') await switchState(ctx, hospital, 'disableByApply', apply.reason);
  else
    await updateHospital(
      ctx,
      hospital,
      { ...factsOf(hospital), ...present(payload) },
      `申请 ${apply.applyNo}${opinion ? `：${opinion}` : ''}`,
    );
  return hospital.id;
}

/** The requested name becomes another name of the hospital that is there. */
async function link(ctx: CommandContext, apply: ApplyRecord, targetId: string | undefined): Promise<string> {
  if (apply.applyType !== 'CREATE') throw refuseField('action', '只有新增医院的申请可以关联现有医院');
  if (targetId === undefined) throw refuseField('linkHospitalId', '请选择要关联的医院');
  const target = await hospitalRecords.lock(ctx.tx, ctx.staff, targetId);
  if (target.state !== 'ENABLED') throw refuse(institutionErrors.TARGET_UNUSABLE);
  const norm = normName(apply.name, await requirePlace(ctx.tx, target.adcode));
  if (norm !== target.normName) {
    await ownTx(ctx.tx)
      .insertInto('institutionHospitalAlias')
      .values({
        hospitalId: target.id,
        name: apply.name,
        normName: norm,
        kind: 'SHORT',
        ...authorColumns(ctx),
        updatedAt: ctx.now,
      })
      .onConflict((conflict) => conflict.columns(['hospitalId', 'normName']).doNothing())
      .execute();
    await refreshPairs(ctx.tx, target.id, ctx.now);
  }
  return target.id;
}

/** Decides a leased application; never one's own. */
export const audit = (kernel: Kernel) =>
  command(auditHospital, async ({ applyId, version, action, opinion, payload: edited, linkHospitalId, notDuplicate }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    await desk.requireOther(ctx, apply);
    if (apply.state !== 'REVIEWING') throw refuse(platformErrors.WRONG_STATE, { state: applyMachine.states[apply.state].label });
    await desk.requireHeld(ctx, apply);
    await requireVersion(ctx, 'institution.hospitalApply', apply, version, () => ({ payload: apply.payload }));
    if (action === 'reject' && opinion === '') throw refuse(institutionErrors.REASON_MISSING);
    const payload: ApplyPayload = { ...(apply.payload as ApplyPayload), ...(action === 'approve' ? present(edited ?? {}) : {}) };
    let hospitalId: string | null = null;
    if (action === 'approve') hospitalId = await approve(ctx, apply, payload, notDuplicate, opinion);
    if (action === 'link') hospitalId = await link(ctx, apply, linkHospitalId);
    const state = await moveState(ctx, applyMachine, {
      targetType: applyRecords.type,
      targetId: applyId,
      targetNo: apply.applyNo,
      action,
      from: apply.state,
      opinion,
    });
    const row = await ownTx(ctx.tx)
      .updateTable('institutionHospitalApply')
      .set((eb) => ({
        state,
        payload: json(payload),
        name: payload.name ?? apply.name,
        opinion: opinion || null,
        auditorId: ctx.staff.userId,
        auditorName: ctx.staff.displayName,
        auditedAt: ctx.now,
        notDuplicateIds: [...notDuplicate],
        resultHospitalId: hospitalId,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', applyId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    await desk.drop(ctx.tx, applyId);
    await kernel.ports.notices.closeTodo(ctx.tx, applyTodoKey(applyId), ctx.now);
    if (hospitalId !== null) await ctx.publish(hospitalApproved, applyId, { applyId, hospitalId, linked: action === 'link' });
    else
      await ctx.publish(hospitalApplyRejected, applyId, {
        applyId,
        applicantType: apply.applicantType,
        applicantId: apply.applicantId,
        opinion,
      });
    if (apply.applicantType === 'STAFF') {
      const verdict = applyMachine.states[state].label;
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `institution.apply.result:${applyId}`,
          title: `医院申请${verdict}：${apply.name}`,
          body: opinion,
          link: `/hospitalManagementAudit?applyId=${applyId}`,
          userIds: [apply.applicantId],
        },
        ctx.now,
      );
    }
    return { ...actionAnswer(ctx, applyMachine, row), state, hospitalId };
  });

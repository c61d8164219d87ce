import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { attach } from '#domains/files/server/index.ts';
import { getAgents } from '#domains/pharma/server/index.ts';
import { addAttributionChange, auditAttributionChange, EVIDENCE_PURPOSE } from '../../contract/calls/attribution.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { ownTx } from '../database.ts';
import { CHANGE_TARGET, changeRecords, seesAttribution } from './access.ts';
import { rememberNames } from './names.ts';
import { performChange } from './perform.ts';

export interface WantedChange {
  subjectType: 'DOCTOR' | 'PATIENT';
  subjectId: string;
  toChannelId: string | null;
  toAgentId: string | null;
  effectiveOn: string;
  reason: string;
  evidenceFileIds: readonly string[];
}

/** The representative of a channel, unless another was named. */
async function targetOf(tx: Tx, { toChannelId, toAgentId }: WantedChange): Promise<{ channelId: string | null; agentId: string | null }> {
  const channel = toChannelId === null ? undefined : (await getChannels(tx, [toChannelId]))[0];
  if (toChannelId !== null && !channel) throw refuseField('toChannelId', '请选择渠道');
  if (channel && channel.state !== 'ENABLED') throw refuse(doctorErrors.CHANNEL_DISABLED);
  if (toAgentId !== null && (await getAgents(tx, [toAgentId])).length === 0) throw refuseField('toAgentId', '请选择代表');
  return { channelId: toChannelId, agentId: toChannelId === null ? null : (toAgentId ?? channel?.agentId ?? null) };
}

/** Writes an application that a second person decides on. @throws Refusal SCM07081–83 */
export async function applyChange(
  ctx: Acting,
  viewer: Viewer,
  wanted: WantedChange,
  source: { kind: 'MANUAL' } | { kind: 'IMPORT'; batchNo: string },
) {
  if (wanted.effectiveOn < ctx.today) throw refuse(doctorErrors.EFFECTIVE_PAST);
  const live = await ownTx(ctx.tx)
    .selectFrom('doctorAttribution as t')
    .selectAll('t')
    .where('t.subjectType', '=', wanted.subjectType)
    .where('t.subjectId', '=', wanted.subjectId)
    .where('t.endedAt', 'is', null)
    .where(seesAttribution(viewer))
    .executeTakeFirst();
  if (!live) throw refuse(platformErrors.NOT_FOUND, { message: '归属对象不存在' });
  const to = await targetOf(ctx.tx, wanted);
  if (to.channelId === live.channelId && to.agentId === live.agentId) throw refuseField('toChannelId', '新归属与当前归属相同');
  await rememberNames(ctx, to);
  const makerId = ctx.staffOrNull?.userId ?? '0';
  const row = await ownTx(ctx.tx)
    .insertInto('doctorAttributionChange')
    .values({
      changeNo: await nextNumber(ctx.tx, 'GS', ctx.today),
      subjectType: wanted.subjectType,
      subjectId: wanted.subjectId,
      subjectName: live.subjectName,
      fromChannelId: live.channelId,
      toChannelId: to.channelId,
      fromAgentId: live.agentId,
      toAgentId: to.agentId,
      effectiveOn: wanted.effectiveOn,
      reason: wanted.reason,
      evidenceFileIds: [...wanted.evidenceFileIds],
      source: source.kind,
      batchNo: source.kind === 'IMPORT' ? source.batchNo : null,
      makerId,
      state: 'PENDING',
      createdAt: ctx.now,
      createdBy: makerId,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'changeNo'])
    .executeTakeFirst();
  if (!row) throw refuse(doctorErrors.CHANGE_OPEN);
  await moveState(ctx, attributionChangeMachine, {
    targetType: CHANGE_TARGET,
    targetId: row.id,
    targetNo: row.changeNo,
    action: 'submit',
    from: 'PENDING',
    opinion: wanted.reason,
  });
  return row;
}

export const changeHandlers: readonly Handler[] = [
  command(addAttributionChange, async (input, ctx) => {
    const { id } = await applyChange(ctx, ctx.staff, input, { kind: 'MANUAL' });
    if (input.evidenceFileIds.length > 0)
      await attach(
        ctx.tx,
        {
          fileIds: input.evidenceFileIds,
          purpose: EVIDENCE_PURPOSE,
          ownerType: CHANGE_TARGET,
          ownerId: id,
          field: 'evidence',
          userId: ctx.staff.userId,
        },
        ctx.now,
      );
    return { id, state: 'PENDING', version: 1, allowedActions: ['cancel'] };
  }),

  command(auditAttributionChange, async ({ id, version, action, opinion }, ctx) => {
    const change = await changeRecords.lockVersion(ctx, id, version, ({ state: now }) => ({ state: now }));
    const own = change.makerId === ctx.staff.userId;
    if (action === 'cancel' && !own) throw refuse(platformErrors.NO_PERMISSION, { permission: '撤销他人的归属变更' });
    if (action === 'approve' && change.toChannelId !== null) {
      const [channel] = await getChannels(ctx.tx, [change.toChannelId]);
      if (channel?.state !== 'ENABLED') throw refuse(doctorErrors.CHANNEL_DISABLED);
    }
    const state = await moveState(ctx, attributionChangeMachine, {
      targetType: CHANGE_TARGET,
      targetId: id,
      targetNo: change.changeNo,
      action,
      from: change.state,
      opinion,
      contributors: [change.makerId],
      sentence: '发起人与审批人不能为同一人',
    });
    await ownTx(ctx.tx)
      .updateTable('doctorAttributionChange')
      .set({
        state,
        opinion: opinion ?? null,
        version: version + 1,
        updatedAt: ctx.now,
        ...(action !== 'cancel' && { checkerId: ctx.staff.userId, decidedAt: ctx.now }),
      })
      .where('id', '=', id)
      .execute();
    const dueNow = action === 'approve' && change.effectiveOn <= ctx.today;
    if (dueNow) await performChange(ctx, id);
    return actionAnswer(ctx, attributionChangeMachine, { id, state, version: version + (dueNow ? 2 : 1) });
  }),
];

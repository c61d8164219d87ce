import { refuse } from '#kernel/contract/errors.ts';
import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { auditCampaign, stopCampaign } from '../../contract/campaigns/calls.ts';
import { CAMPAIGN_TARGET, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { campaignErrors } from '../../contract/campaigns/errors.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import type { Campaign } from './audience.ts';
import { campaignRecord } from './rows.ts';
import { cancelWaiting } from './send.ts';

const AHEAD = minutes(30);

/** What must hold when it is handed in and again when it is passed. @throws Refusal SCM11084, SCM11085, SCM11018 */
async function requireReady(tx: Tx, row: Campaign, now: Instant): Promise<void> {
  if (row.previewCount === null) throw refuse(campaignErrors.NO_PREVIEW);
  if (row.sendAt <= plusMs(now, AHEAD))
    throw refuse(campaignErrors.TOO_SOON, { fields: [{ path: 'sendAt', message: campaignErrors.TOO_SOON.text }] });
  const off = await ownTx(tx)
    .selectFrom('corpusMaterial')
    .select('title')
    .where('id', 'in', row.materialIds)
    .where('state', '<>', 'ENABLED')
    .orderBy('id')
    .execute();
  if (off.length > 0) throw refuse(corpusErrors.MATERIAL_NOT_ENABLED, { names: off.map(({ title }) => title).join('、') });
}

export const audit = (kernel: Kernel) =>
  command(auditCampaign, async ({ id, version, action, opinion }, ctx) => {
    const row = await campaignRecord.lockVersion(ctx, id, version);
    const state = await moveState(ctx, campaignMachine, {
      targetType: CAMPAIGN_TARGET,
      targetId: id,
      targetNo: row.campaignNo,
      action,
      from: row.state,
      opinion,
      contributors: [row.submittedBy, row.createdBy],
    });
    const isVerdict = action !== 'submit';
    if (action !== 'reject') await requireReady(ctx.tx, row, ctx.now);
    await ownTx(ctx.tx)
      .updateTable('corpusCampaign')
      .set({
        state,
        version: row.version + 1,
        ...updatedColumns(ctx),
        ...(isVerdict
          ? { auditedBy: ctx.staff.userId, auditedAt: ctx.now }
          : { submittedBy: ctx.staff.userId, submittedAt: ctx.now, auditedBy: null, auditedAt: null }),
      })
      .where('id', '=', id)
      .execute();
    if (isVerdict && row.submittedBy !== null)
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `${CAMPAIGN_TARGET}:${id}:${row.version}`,
          title: `群发任务“${row.name}”${action === 'approve' ? '已通过审核' : '被驳回'}`,
          ...(opinion && { body: opinion }),
          link: `/taskManagement?tab=campaigns&campaignId=${id}`,
          userIds: [row.submittedBy],
        },
        ctx.now,
      );
    return actionAnswer(ctx, campaignMachine, { id, state, version: row.version + 1 });
  });

export const stop = command(stopCampaign, async ({ id, version, opinion }, ctx) => {
  const row = await campaignRecord.lockVersion(ctx, id, version);
  const state = await moveState(ctx, campaignMachine, {
    targetType: CAMPAIGN_TARGET,
    targetId: id,
    targetNo: row.campaignNo,
    action: 'stop',
    from: row.state,
    opinion,
  });
  await cancelWaiting(ctx, id);
  await ownTx(ctx.tx)
    .updateTable('corpusCampaign')
    .set({ state, stopReason: opinion, endedAt: ctx.now, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, campaignMachine, { id, state, version: row.version + 1 });
});

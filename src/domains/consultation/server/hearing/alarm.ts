import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { publishQueue } from '../queue/signals.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';

/** A crisis word, or a critical value: the group comes first, and its owner and the supervisors are rung. */
export async function alarm(ctx: Deed, groupId: string, why: string): Promise<void> {
  const { group } = await lockGroup(ctx.tx, groupId);
  await ownTx(ctx.tx)
    .updateTable('consultationMedicalGroup')
    .set({ priority: 2, crisisAt: ctx.now, updatedAt: ctx.now })
    .where('groupId', '=', groupId)
    .execute();
  publishQueue(ctx.kernel, ctx);
  const owner =
    group.ownerAssistantId === null
      ? undefined
      : await ownTx(ctx.tx)
          .selectFrom('consultationAssistantDuty')
          .select('userId')
          .where('assistantId', '=', group.ownerAssistantId)
          .executeTakeFirst();
  const alert = {
    businessKey: `consultation:crisis:${groupId}:${ctx.now.slice(0, 13)}`,
    title: '患者可能存在急症',
    body: `${group.name}：${why}`,
    link: `/assistantIM?conversationID=GROUP${groupId}`,
  };
  await ctx.kernel.ports.notices.addAlert(ctx.tx, { ...alert, permission: may['chat.supervise'].code }, ctx.now);
  if (owner)
    await ctx.kernel.ports.notices.addAlert(
      ctx.tx,
      { ...alert, businessKey: `${alert.businessKey}:owner`, userIds: [owner.userId] },
      ctx.now,
    );
}

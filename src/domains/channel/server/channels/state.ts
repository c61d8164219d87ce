import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { changeChannelState, delChannel, moveChannel } from '../../contract/calls/channels.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelStates } from '../../contract/states.ts';
import { channels } from '../access.ts';
import { ownTx } from '../database.ts';
import { publishChannel } from './changed.ts';
import { requireAgent, requireFreeName, TARGET } from './save.ts';

type State = 'ENABLED' | 'EXPIRED' | 'DISABLED';

/** 停用 and 启用. Codes are not touched: the landing page looks at their channel. */
export const changeState = command(changeChannelState, async ({ id, version, action, opinion }, ctx) => {
  const tx = ownTx(ctx.tx);
  const row = await channels.lockVersion(ctx, id, version, (seen) => seen);
  const from = row.state;
  if (action === 'disable' && channelStates.canStart(action, from)) {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from channel_channel where parent_id = ${id} and state = 'ENABLED'`.execute(ctx.tx);
    if (rows[0]!.n > 0) throw refuse(channelErrors.CHILDREN_ENABLED, { n: rows[0]!.n });
    const vip = await tx
      .selectFrom('channelVip')
      .select('id')
      .where('channelId', '=', id)
      .where('state', 'in', ['WAITING', 'ACTIVE', 'SUSPENDED'])
      .executeTakeFirst();
    if (vip) throw refuse(channelErrors.VIP_LIVE);
  }
  if (action === 'enable' && channelStates.canStart(action, from)) {
    const parent =
      row.parentId === null
        ? null
        : await tx.selectFrom('channelChannel').select('state').where('id', '=', row.parentId).forShare().executeTakeFirst();
    if (parent?.state === 'DISABLED') throw refuse(channelErrors.PARENT_DISABLED);
    await requireAgent(ctx, row.agentId);
  }
  const moved = await moveState(ctx, channelStates, { targetType: TARGET, targetId: id, targetNo: row.channelNo, action, from, opinion });
  const state: State = moved === 'ENABLED' && row.endDate !== null && row.endDate < ctx.today ? 'EXPIRED' : moved;
  await tx
    .updateTable('channelChannel')
    .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await publishChannel(ctx, id, ctx.now);
  return actionAnswer(ctx, channelStates, { id, state, version: row.version + 1 });
});

/** Deletes a channel that nothing hangs on. */
export const remove = command(delChannel, async ({ id, version }, ctx) => {
  const row = await channels.lockVersion(ctx, id, version, (seen) => seen);
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from channel_channel where parent_id = ${id}) or exists (select from channel_qr_code where channel_id = ${id})
      or exists (select from channel_qr_batch where channel_id = ${id}) or exists (select from channel_vip where channel_id = ${id})
      or exists (select from channel_scan_conversion where channel_id = ${id})
      or ${row.doctorCount + row.patientCount} > 0 as used`.execute(ctx.tx);
  if (rows[0]!.used) throw refuse(channelErrors.IN_USE);
  ctx.target({ type: TARGET, id, no: row.channelNo });
  await publishChannel(ctx, id, ctx.now, true);
  await ownTx(ctx.tx).deleteFrom('channelChannel').where('id', '=', id).execute();
  return { id };
});

/** Hangs a channel with all below it under another parent of the same type. */
export const move = command(moveChannel, async ({ id, version, parentId }, ctx) => {
  // One move at a time: two crossing ones could make a circle.
  await lockKeys(ctx.tx, 'channel.move');
  const row = await channels.lockVersion(ctx, id, version, (seen) => seen);
  const parent = parentId === null ? null : await channels.get(ctx.tx, ctx.staff, parentId);
  const below = await ownTx(ctx.tx)
    .selectFrom('channelChannel')
    .select((eb) => eb.fn.max('depth').as('deepest'))
    .where(sql<boolean>`path @> array[${id}::bigint]`)
    .executeTakeFirstOrThrow();
  const height = Number(below.deepest) - row.depth;
  if (parent && (parent.path.map(String).includes(id) || parent.depth + 1 + height > 3)) throw refuse(channelErrors.TOO_DEEP);
  if (parent && parent.channelType !== row.channelType) throw refuse(channelErrors.TOO_DEEP, { message: '只能移动到相同类型的渠道下' });
  if (parent?.state === 'DISABLED') throw refuse(channelErrors.PARENT_DISABLED);
  await requireFreeName(ctx, parentId, row.name, id);
  const prefix = (parent?.path ?? []).map(String);
  await sql`
    update channel_channel set path = ${prefix}::bigint[] || path[${row.depth}:], depth = depth - ${row.depth} + ${prefix.length + 1},
      parent_id = case when id = ${id} then ${parentId}::bigint else parent_id end, version = version + 1, updated_at = ${ctx.now},
      updated_by = ${ctx.staff.userId}
    where path @> array[${id}::bigint]`.execute(ctx.tx);
  ctx.target({ type: TARGET, id, no: row.channelNo });
  ctx.changed([{ path: 'parentId', label: '上级渠道', before: row.parentId, after: parentId }]);
  await publishChannel(ctx, id, ctx.now);
  const state = row.state;
  return actionAnswer(ctx, channelStates, { id, state, version: row.version + 1 });
});

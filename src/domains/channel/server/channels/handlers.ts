import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryChannelDetail, queryChannelStat, queryChannelTree, querySelectOptions } from '../../contract/calls/channels.ts';
import { channelStates } from '../../contract/states.ts';
import { seesChannel } from '../access.ts';
import { own } from '../database.ts';
import { selectOptions } from '../refs/options.ts';
import { channelById, channelList } from './list.ts';
import { add, modify, TARGET } from './save.ts';
import { channelStat, dailySeries } from './stat.ts';
import { changeState, move, remove } from './state.ts';

export const channelHandlers: readonly Handler[] = [
  channelList.handler,
  query(queryChannelDetail, async ({ id }, ctx) => {
    const row = await channelById(ctx.db, ctx.staff, id, ctx.today);
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const counts = await own(ctx.db)
      .selectFrom('channelChannel as c')
      .select(['c.doctorCount', 'c.patientCount'])
      .select(sql<number>`(select count(*)::int from channel_channel n where n.parent_id = c.id)`.as('children'))
      .where('c.id', '=', id)
      .executeTakeFirstOrThrow();
    const vips = await own(ctx.db)
      .selectFrom('channelVip')
      .select(['id', 'vipNo', 'level', 'state', 'startDate', 'endDate'])
      .where('channelId', '=', id)
      .orderBy('id', 'desc')
      .execute();
    return {
      ...row,
      ...counts,
      vips,
      trend: await dailySeries(ctx.db, 'channel', [id], { from: plusDays(ctx.today, -29), to: ctx.today }),
      trail: await trailOf(ctx.db, TARGET, id),
      allowedActions: channelStates.allowed(row.state, ctx.has),
    };
  }),
  query(queryChannelTree, async (_input, ctx) => {
    const rows = await own(ctx.db)
      .selectFrom('channelChannel as c')
      .select(['c.id', 'c.parentId', 'c.name', 'c.channelType', 'c.state', 'c.depth'])
      .select(sql<number>`(select count(*)::int from channel_channel n where n.parent_id = c.id)`.as('children'))
      .where(seesChannel(ctx.staff))
      .orderBy('c.depth')
      .orderBy('c.name')
      .limit(5_000)
      .execute();
    return rows;
  }),
  add,
  modify,
  changeState,
  remove,
  move,
  query(queryChannelStat, (input, ctx) => channelStat(ctx.db, ctx.staff, input)),
  query(querySelectOptions, (input, ctx) => selectOptions(ctx.db, ctx.staff, input)),
];

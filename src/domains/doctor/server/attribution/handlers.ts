import { trailOf } from '#kernel/server/audit/transition.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import {
  EVIDENCE_PURPOSE,
  queryAttributionChangeDetail,
  queryAttributionTrail,
  queryChannelFunnel,
} from '../../contract/calls/attribution.ts';
import { own } from '../database.ts';
import { CHANGE_TARGET, changeRecords } from './access.ts';
import { changeById, changeList } from './changeList.ts';
import { changeHandlers } from './changes.ts';
import { channelFunnel } from './funnel.ts';
import type { attributionLists } from './list.ts';
import { attributionTrail } from './trail.ts';

export const attributionHandlers = (lists: ReturnType<typeof attributionLists>): readonly Handler[] => [
  ...lists.handlers,
  query(queryAttributionTrail, (input, ctx) => attributionTrail(ctx, input)),
  query(queryChannelFunnel, (input, ctx) => channelFunnel(ctx.db, ctx.staff, input)),
  changeList.handler,
  query(queryAttributionChangeDetail, async ({ id }, ctx) => {
    const change = await changeById(ctx, id);
    if (!change) throw changeRecords.missing();
    const { evidenceFileIds } = await own(ctx.db)
      .selectFrom('doctorAttributionChange')
      .select('evidenceFileIds')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const evidence = await fileBriefs(ctx.db, evidenceFileIds, { purpose: EVIDENCE_PURPOSE, ownerType: CHANGE_TARGET });
    return { change, evidence, trail: await trailOf(ctx.db, CHANGE_TARGET, id) };
  }),
  ...changeHandlers,
];

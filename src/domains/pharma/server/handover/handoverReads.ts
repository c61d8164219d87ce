import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { previewAgentHandover, queryAgentHandoverTrail } from '../../contract/calls/handovers.ts';
import { shareEvenly } from '../../contract/rules/handoverPlan.ts';
import { accessAgent } from '../agents/accessAgent.ts';
import { own } from '../database.ts';
import { belongingsOf, previewLoads, resolvePlan } from './plan.ts';

export const handoverTrail = query(queryAgentHandoverTrail, async ({ handoverId }, ctx) => {
  const row = await own(ctx.db).selectFrom('pharmaAgentHandover').select('fromAgentId').where('id', '=', handoverId).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await accessAgent(ctx, row.fromAgentId);
  return trailOf(ctx.db, 'pharma.agentHandover', handoverId);
});

export const handoverPreview = query(previewAgentHandover, async ({ fromAgentId, plan, shareOver }, ctx) => {
  const tables = own(ctx.db);
  await accessAgent(ctx, fromAgentId);
  const belongings = await belongingsOf(tables, fromAgentId);
  const shared = shareOver && shareOver.length > 0 ? shareEvenly(belongings.doctors, shareOver) : null;
  const chosen = shared
    ? {
        ...plan,
        doctors: belongings.doctors.map(({ doctorId, productLineId }) => ({
          doctorId,
          productLineId,
          toAgentId: shared.get(`${doctorId}:${productLineId}`)!,
        })),
      }
    : plan;
  const resolved = resolvePlan(chosen, belongings);
  return {
    plan: chosen,
    unassigned: resolved.unassigned,
    teamSize: belongings.team.length,
    successors: await previewLoads(tables, ctx.staff, resolved),
  };
});

import { query } from '#kernel/server/handler.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { positionCapacity } from '../../contract/dictionaries.ts';
import { queryRecommendationOccupancy } from '../../contract/calls/recommendations.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeRecommendations } from './demo.ts';
import { activateDueRecommendations } from './activateDue.ts';
import { occupancy, recommendationExport, recommendationList } from './list.ts';
import { add, modify, off, sort } from './save.ts';

const activateJob = job({
  name: 'doctor.activateDueRecommendations',
  label: '推荐位到时上下架',
  everySeconds: 60,
  run: (_data, ctx) => ctx.transaction((writing) => activateDueRecommendations({ ...writing, now: ctx.now, traceId: ctx.traceId })),
});

const capacities = Object.entries(positionCapacity)
  .map(([position, places]) => `('${position}', ${places})`)
  .join(', ');

/** Positions in which patients see doctors first. */
export const recommendationsModule: FeatureModule = {
  handlers: [
    recommendationList.handler,
    query(queryRecommendationOccupancy, (_input, ctx) => occupancy(ctx.db, ctx.now)),
    add,
    modify,
    off,
    sort,
  ],
  jobs: [activateJob],
  exports: [recommendationExport],
  demo: writeRecommendations,
  invariants: [
    // The number at an instant grows only where a recommendation starts.
    [
      '推荐位超过容量',
      `select count(*)::int as n from doctor_recommendation r join (values ${capacities}) as c(position, places) on c.position = r.position
      where r.state <> 'OFF'
        and (
          select count(*)
            from doctor_recommendation o
            where o.position = r.position
              and o.scope_key = r.scope_key
              and o.state <> 'OFF'
              and o.start_at <= r.start_at
              and o.end_at > r.start_at
        ) > c.places`,
    ],
  ],
};

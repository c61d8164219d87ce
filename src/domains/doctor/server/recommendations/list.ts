import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { positionCapacity, positions } from '../../contract/dictionaries.ts';
import { exportRecommendationList, queryRecommendationList, type RecommendationRow } from '../../contract/calls/recommendations.ts';
import { peakOf, type Stretch } from '../../contract/rules/positions.ts';
import { recommendationMachine } from '../../contract/staffStates.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';

/** Shown to nobody: past the last instant that a position can have. */
const FAR = '9999-12-31T00:00:00.000Z';

/** Name of a scope (alias `r`): disease or channel by its copy, the word itself. */
const scopeName = sql<string>`
  case r.position
    when 'HOME' then '首页'
    when 'SEARCH' then substring(r.scope_key from 9)
    else coalesce((
      select c.name from doctor_ref_copy c where c.kind = r.position and c.ref_id = substring(r.scope_key from '\\d+')::bigint
    ), case r.position when 'DISEASE' then '（未知病种）' else '（未知渠道）' end)
  end`;

/** In the order of the position. */
export const recommendationList = listOf(queryRecommendationList)
  .from(({ db, staff }) =>
    own(db).selectFrom('doctorRecommendation as r').innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId').where(seesDoctor(staff)),
  )
  .with({
    where: {
      position: 'r.position',
      scopeKey: 'r.scopeKey',
      doctorId: 'r.doctorId',
      state: 'r.state',
      from: (eb, from) => eb('r.endAt', '>', from),
      to: (eb, to) => eb('r.startAt', '<', to),
    },
    id: 'r.id',
    unsorted: 'seats of each place in their order',
    order: [
      ['r.position', 'asc'],
      ['r.scopeKey', 'asc'],
      [sql`array_position(array['ON', 'WAITING', 'ENDED', 'OFF'], r.state)`, 'asc'],
      ['r.sort', 'asc'],
    ],
    // CHECK constraints of the tables hold the codes to the dictionaries.
    select: (query) =>
      query
        .select([
          'r.id',
          'r.position',
          'r.scopeKey',
          'r.adcode',
          'r.doctorId',
          'd.doctorNo',
          'd.name as doctorName',
          'd.titleCode',
          'd.hospitalName',
          'd.practiceOk',
          'r.sort',
          'r.reason',
          'r.startAt',
          'r.endAt',
          'r.state',
          'r.offOpinion',
          'r.version',
          scopeName.as('scopeName'),
        ])
        .$castTo<Omit<RecommendationRow, 'region' | 'allowedActions'>>(),
    async present(rows, { db, has }) {
      const regions = await regionsOf(
        db,
        rows.flatMap(({ adcode }) => adcode ?? []),
      );
      return rows.map((row) => ({
        ...row,
        region: row.adcode === null ? '全国' : regionText(regions, row.adcode),
        allowedActions: recommendationMachine.allowed(row.state, (permission) => has(permission)),
      }));
    },
  });

export const recommendationExport = listExport(recommendationList, {
  call: exportRecommendationList,
  title: '医生推荐',
  routeKey: 'doctorManagement',
  columns: [
    'position',
    'scopeName',
    'region',
    'sort',
    'doctorNo',
    'doctorName',
    'titleCode',
    'hospitalName',
    'reason',
    'startAt',
    'endAt',
    'state',
    'offOpinion',
  ],
});

/** What stands and waits in every position, for its selector. */
export async function occupancy(db: Db, now: string) {
  const rows = await own(db)
    .selectFrom('doctorRecommendation as r')
    .select(['r.position', 'r.scopeKey', 'r.startAt', 'r.endAt', scopeName.as('scopeName')])
    .where('r.state', '<>', 'OFF')
    .where('r.endAt', '>', now)
    .execute();
  return positions.codes.map((position) => {
    const scopes = Map.groupBy(
      rows.filter((row) => row.position === position),
      ({ scopeKey }) => scopeKey,
    );
    if (position === 'HOME' && !scopes.has('*')) scopes.set('*', []);
    const described = [...scopes].map(([scopeKey, stretches]: [string, readonly (Stretch & { scopeName: string })[]]) => ({
      scopeKey,
      scopeName: stretches[0]?.scopeName ?? '首页',
      used: stretches.filter(({ startAt }) => startAt <= now).length,
      waiting: stretches.filter(({ startAt }) => startAt > now).length,
      peak: peakOf(stretches, { startAt: now, endAt: FAR }),
    }));
    return {
      position,
      capacity: positionCapacity[position],
      scopes: described.toSorted((a, b) => b.used - a.used || a.scopeName.localeCompare(b.scopeName, 'zh')),
    };
  });
}

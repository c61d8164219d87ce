import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Context, Db } from '../../../../kernel/server/context.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import { positionCapacity, positions, type Position } from '../../contract/dictionaries.ts';
import type { queryRecommendationList, RecommendationRow } from '../../contract/recommendationCalls.ts';
import { peakOf, type Stretch } from '../../contract/rules/positions.ts';
import { recommendationMachine } from '../../contract/staffStates.ts';
import { seesDoctor, type Viewer } from '../access.ts';
import { own } from '../database.ts';
import { regionText } from '../doctors/regionText.ts';

export type RecommendationFilter = Omit<CheckedInputOf<typeof queryRecommendationList>, 'pageNo' | 'pageSize'>;
/** Shown to nobody: past the last instant that a position can have. */
const FAR = '9999-12-31T00:00:00.000Z';

export function recommendationQuery(db: Db, viewer: Viewer, filter: RecommendationFilter) {
  let query = own(db)
    .selectFrom('doctorRecommendation as r')
    .innerJoin('doctorDoctor as d', 'd.id', 'r.doctorId')
    .where(seesDoctor(viewer));
  if (filter.position) query = query.where('r.position', '=', filter.position);
  if (filter.scopeKey) query = query.where('r.scopeKey', '=', filter.scopeKey);
  if (filter.doctorId) query = query.where('r.doctorId', '=', filter.doctorId);
  if (filter.state?.length) query = query.where('r.state', 'in', filter.state);
  if (filter.from) query = query.where('r.endAt', '>', filter.from);
  if (filter.to) query = query.where('r.startAt', '<', filter.to);
  return query;
}

/** Name of a scope (alias `r`): disease or channel by its copy, the word itself. */
const scopeName = sql<string>`case r.position when 'HOME' then '首页' when 'SEARCH' then substring(r.scope_key from 9)
  else coalesce((select c.name from doctor_ref_copy c where c.kind = r.position and c.ref_id = substring(r.scope_key from '\\d+')::bigint), case r.position when 'DISEASE' then '（未知病种）' else '（未知渠道）' end) end`;

/** In the order of the position. */
export async function readRecommendations(
  ctx: Pick<Context, 'has'> & { db: Db },
  query: ReturnType<typeof recommendationQuery>,
  page: { limit: number; offset: number },
): Promise<RecommendationRow[]> {
  const rows = await query
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
    .orderBy('r.position')
    .orderBy('r.scopeKey')
    .orderBy(sql`array_position(array['ON', 'WAITING', 'ENDED', 'OFF'], r.state)`)
    .orderBy('r.sort')
    .orderBy('r.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const regions = await regionsOf(
    ctx.db,
    rows.flatMap(({ adcode }) => adcode ?? []),
  );
  return rows.map((row) => {
    const state = row.state;
    return {
      ...row,
      state,
      region: row.adcode === null ? '全国' : regionText(regions, row.adcode),
      allowedActions: recommendationMachine.allowed(state, (permission) => ctx.has(permission)) as string[],
    };
  });
}

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

import { containsPattern, startsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { regionPrefix, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Db } from '#kernel/server/context.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import type { hospitalOption } from '../../contract/hospitalCalls.ts';
import type * as z from 'zod/mini';
import { hospitalScope, type Seer } from '../access.ts';
import { own } from '../database.ts';

type Option = z.output<typeof hospitalOption>;
export interface OptionWish {
  keyword?: string | undefined;
  adcode?: string | undefined;
  ids?: readonly string[] | undefined;
  minRank?: number | undefined;
  limit: number;
  /** Whose data scope limits them; staff choose among all. */
  seer?: Seer;
}

const columns = ['h.id', 'h.name', 'h.level', 'h.address', 'h.cityAdcode'] as const;

/** Enabled hospitals for a picker; asked by id, also disabled ones, and merged ones as their survivor. */
export async function hospitalOptions(db: Db, wish: OptionWish): Promise<Option[]> {
  const tables = own(db);
  let rows: { id: string; name: string; level: Option['level']; address: string; cityAdcode: string }[];
  if (wish.ids?.length) {
    const asked = await tables
      .selectFrom('institutionHospital as a')
      .innerJoin('institutionHospital as h', (join) => join.on(sql<boolean>`h.id = coalesce(a.merged_into_id, a.id)`))
      .select([...columns, 'a.id as askedId'])
      .where('a.id', 'in', [...wish.ids])
      .execute();
    rows = asked.map(({ askedId, ...row }) => ({ ...row, id: askedId }));
  } else {
    let query = tables.selectFrom('institutionHospital as h').select(columns).where('h.state', '=', 'ENABLED');
    const { keyword } = wish;
    if (keyword) {
      query = query.where((eb) =>
        eb.or([
          eb('h.name', 'ilike', containsPattern(keyword)),
          sql<boolean>`h.id in (select a.hospital_id from institution_hospital_alias a where a.name ilike ${containsPattern(keyword)})`,
          ...(/^[a-zA-Z]{2,}$/.test(keyword) ? [eb('h.namePinyin', 'like', startsPattern(keyword.toLowerCase()))] : []),
        ]),
      );
    }
    if (wish.seer) query = query.where(scopeFilter(hospitalScope, wish.seer));
    if (wish.adcode) query = query.where('h.adcode', 'like', `${regionPrefix(wish.adcode)}%`);
    if (wish.minRank !== undefined) query = query.where('h.levelRank', '>=', wish.minRank);
    rows = await query.orderBy('h.levelRank', 'desc').orderBy('h.name').limit(wish.limit).execute();
  }
  const regions = await regionsOf(
    db,
    rows.map(({ cityAdcode }) => cityAdcode),
  );
  return rows.map((row) => ({
    value: row.id,
    label: row.name,
    level: row.level,
    city: regionText(regions, row.cityAdcode),
    address: row.address,
  }));
}

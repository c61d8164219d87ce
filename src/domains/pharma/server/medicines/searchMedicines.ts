import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface FoundMedicine {
  medicineId: string;
  genericName: string;
  brandName: string | null;
  spec: string;
  rxRequired: boolean;
  unit: string;
}

/** Medicines on sale whose generic or brand name, or the initials of either, hold the words; for those who prescribe. */
export async function searchMedicines(db: Db, keyword: string, limit: number): Promise<FoundMedicine[]> {
  const words = containsPattern(keyword);
  const rows = await own(db)
    .selectFrom('pharmaMedicine as m')
    .select(['m.id as medicineId', 'm.genericName', 'm.brandName', 'm.strength', 'm.rxRequired'])
    .select((eb) =>
      eb.selectFrom('pharmaSku as s').select('s.unit').whereRef('s.medicineId', '=', 'm.id').orderBy('s.id').limit(1).as('unit'),
    )
    .where('m.state', '=', 'ON')
    .where(sql<SqlBool>`(m.generic_name ilike ${words} or m.brand_name ilike ${words} or m.generic_pinyin ilike ${words})`)
    .orderBy('m.genericName')
    .orderBy('m.id')
    .limit(limit)
    .execute();
  return rows.map(({ strength, unit, rxRequired, ...row }) => ({
    ...row,
    rxRequired: rxRequired === true,
    spec: strength ?? '',
    unit: unit ?? '盒',
  }));
}

import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

export interface Region {
  adcode: string;
  name: string;
  /** 1 province, 2 city, 3 district. */
  level: number;
  parentAdcode: string | null;
  retiredOn: string | null;
  replacedBy: string | null;
}

const columns = ['adcode', 'name', 'level', 'parentAdcode', 'retiredOn', 'replacedBy'] as const;

/** Regions with the cities and provinces above them and their successors, by code; unknown codes are left out. */
export async function regionsOf(db: Db | Tx, adcodes: readonly string[]): Promise<ReadonlyMap<string, Region>> {
  const codes = [...new Set(adcodes.flatMap((code) => [code, `${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`]))];
  if (codes.length === 0) return new Map();
  const regions = own(db).selectFrom('identityRegion');
  const rows = await regions
    .select(columns)
    .where((eb) => eb.or([eb('adcode', 'in', codes), eb('adcode', 'in', regions.select('replacedBy').where('adcode', 'in', codes))]))
    .execute();
  return new Map(rows.map((row) => [row.adcode, row]));
}

/** The whole dictionary, for imports that know regions by name. */
export async function allRegions(db: Db | Tx): Promise<Region[]> {
  return own(db).selectFrom('identityRegion').select(columns).orderBy('adcode').execute();
}

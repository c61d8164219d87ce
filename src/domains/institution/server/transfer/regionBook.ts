import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { allRegions, type Region } from '../../../identity/server/index.ts';
import { placeOf, type Place } from '../regions.ts';

/** Finds regions by the names that people write into tables, or by code; retired ones stand for their successors. */
export interface RegionBook {
  find(province: string, city: string, district: string): Place | null;
}

const bare = (name: string) => name.replace(/(特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区|自治州|地区|省|市|区|县)$/, '');
const same = (region: Region, written: string) => region.name === written || (written.length >= 2 && bare(region.name) === bare(written));

const remembered = new WeakMap<object, Promise<RegionBook>>();

/**
 * The book of one check or commit, read once for all of its chunks.
 * @param work what the engine hands to every chunk of one check or commit
 */
export function regionBook(work: object, db: Db | Tx): Promise<RegionBook> {
  const there = remembered.get(work) ?? readBook(db);
  remembered.set(work, there);
  return there;
}

async function readBook(db: Db | Tx): Promise<RegionBook> {
  const rows = await allRegions(db);
  const known = new Map(rows.map((row) => [row.adcode, row]));
  const below = Map.groupBy(rows, ({ parentAdcode }) => parentAdcode);
  const found = new Map<string, Place | null>();
  const among = (parent: string | null, written: string) =>
    below.get(parent)?.find((region) => region.name === written) ?? below.get(parent)?.find((region) => same(region, written));
  const find = (province: string, city: string, district: string): Place | null => {
    if (/^\d{6}$/.test(district)) return placeOf(known, district);
    const top = among(null, province);
    if (!top) return null;
    // Municipalities are often written twice: 上海市, 上海市.
    const middle = among(top.adcode, city) ?? (same(top, city) ? below.get(top.adcode)?.[0] : undefined);
    const cities = middle ? [middle] : [];
    if (district === '') return middle ? placeOf(known, middle.adcode) : null;
    const low =
      cities.map((one) => among(one.adcode, district)).find((one) => one !== undefined) ??
      (same(top, city)
        ? (below.get(top.adcode) ?? []).map((one) => among(one.adcode, district)).find((one) => one !== undefined)
        : undefined);
    return low ? placeOf(known, low.adcode) : null;
  };
  return {
    find(province, city, district) {
      const key = `${province}|${city}|${district}`;
      if (!found.has(key)) found.set(key, find(province, city, district));
      return found.get(key) ?? null;
    },
  };
}

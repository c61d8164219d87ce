import type { Db, Tx } from '#kernel/server/context.ts';
import { allRegions, isBetween, type Region } from '#domains/identity/server/index.ts';
import { isCityItself, placeOf, type Place } from '../regions.ts';

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

const readBook = async (db: Db | Tx): Promise<RegionBook> => bookOf(await allRegions(db));

/** The book of a list of regions. What stands there now goes before what stood there, by the same name. Pure. */
export function bookOf(regions: readonly Region[]): RegionBook {
  const rows = [...regions.filter(({ retiredOn }) => retiredOn === null), ...regions.filter(({ retiredOn }) => retiredOn !== null)];
  const known = new Map(rows.map((row) => [row.adcode, row]));
  const below = Map.groupBy(rows, ({ parentAdcode }) => parentAdcode);
  const found = new Map<string, Place | null>();
  /** Also what stands below a level that nobody calls by its name. */
  const under = (parent: string | null): Region[] =>
    (below.get(parent) ?? []).flatMap((region) => (isBetween(region.name) ? [region, ...(below.get(region.adcode) ?? [])] : [region]));
  const among = (parent: string | null, written: string) =>
    under(parent).find((region) => region.name === written) ?? under(parent).find((region) => same(region, written));
  const find = (province: string, city: string, district: string): Place | null => {
    if (/^\d{6}$/.test(district)) return placeOf(known, district);
    const top = among(null, province);
    if (!top) return null;
    // Municipalities are often written twice: 上海市, 上海市; and so are cities without districts.
    const isTop = isCityItself(top.adcode) && (city === '' || city === '市辖区' || same(top, city));
    const middle = isTop ? top : among(top.adcode, city === '' || isBetween(city) ? district : city);
    if (!middle) return null;
    const low = district === '' ? undefined : among(middle.adcode, district);
    if (low) return placeOf(known, low.adcode);
    const isWhole = under(middle.adcode).every(({ retiredOn }) => retiredOn !== null) || isTop;
    return isWhole && (district === '' || same(middle, district)) ? placeOf(known, middle.adcode) : null;
  };
  return {
    find(province, city, district) {
      const key = `${province}|${city}|${district}`;
      if (!found.has(key)) found.set(key, find(province, city, district));
      return found.get(key) ?? null;
    },
  };
}

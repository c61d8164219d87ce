import type { Db, Tx } from '#kernel/server/context.ts';
import { regionsOf, type Region } from './regions.ts';

/**
 * Levels that the numbering needs and nobody calls by their name: districts of a municipality, counties and cities of a province itself.
 */
const BETWEEN: ReadonlySet<string> = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);
export const isBetween = (name: string): boolean => BETWEEN.has(name) || name.includes('直辖县级');

/** `浙江省杭州市西湖区`, `湖北省仙桃市` of a code among known regions, retired ones too; the code itself when unknown. */
export function regionText(known: ReadonlyMap<string, Pick<Region, 'name'>>, adcode: string): string {
  if (!known.has(adcode)) return adcode;
  const names = [`${adcode.slice(0, 2)}0000`, `${adcode.slice(0, 4)}00`, adcode].flatMap((code) => known.get(code)?.name ?? []);
  return [...new Set(names)].filter((name) => !isBetween(name)).join('') || adcode;
}

export const regionName = async (db: Db | Tx, adcode: string): Promise<string> => regionText(await regionsOf(db, [adcode]), adcode);

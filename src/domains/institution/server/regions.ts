import { refuseField } from '#kernel/contract/errors.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import type { Context, Db, Tx, Writing } from '#kernel/server/context.ts';
import { isBetween, regionsOf, type Region } from '#domains/identity/server/index.ts';

/** Where an institution stands, with the names that its own name is compared without. */
export interface Place {
  adcode: string;
  cityAdcode: string;
  provinceAdcode: string;
  province: string;
  city: string;
}

/** Below a level that nobody calls by its name a municipality is the city itself, elsewhere the county is. */
const cityName = (above: string, own: string, province: string, provinceAdcode: string): string =>
  !isBetween(above) ? above : isCityItself(provinceAdcode) ? province : own;

/** @param known regions with their ancestors. A retired code stands for its successor; null when unknown. */
export function placeOf(known: ReadonlyMap<string, Region>, adcode: string): Place | null {
  const given = known.get(adcode);
  const region = given?.replacedBy ? (known.get(given.replacedBy) ?? given) : given;
  if (!region) return null;
  const provinceAdcode = `${region.adcode.slice(0, 2)}0000`;
  const cityAdcode = region.level === 3 ? (region.parentAdcode ?? `${region.adcode.slice(0, 4)}00`) : region.adcode;
  return {
    adcode: region.adcode,
    cityAdcode,
    provinceAdcode,
    province: known.get(provinceAdcode)?.name ?? '',
    city: cityName(known.get(cityAdcode)?.name ?? '', region.name, known.get(provinceAdcode)?.name ?? '', provinceAdcode),
  };
}

/** Provinces that are a city: the four municipalities, 台湾, 香港 and 澳门. */
export const isCityItself = (adcode: string): boolean => /^(11|12|31|50|71|81|82)0000$/.test(adcode);

/** @throws Refusal SCM90020 for an unknown region or a whole province. */
export async function requirePlace(db: Db | Tx, adcode: string): Promise<Place> {
  const place = placeOf(await regionsOf(db, [adcode]), adcode);
  if (!place || (place.adcode.endsWith('0000') && !isCityItself(place.adcode))) throw refuseField('adcode', '请选择省市区');
  return place;
}

export const OUTSIDE = '该地区不在您的数据范围内';

/** Where somebody may put an institution. @throws Refusal SCM90020 as `requirePlace`, and outside the regions of his data scope. */
export async function requireOwnPlace(ctx: Pick<Writing, 'tx'> & Pick<Context, 'staffOrNull'>, adcode: string): Promise<Place> {
  const place = await requirePlace(ctx.tx, adcode);
  if (ctx.staffOrNull && !seesRegion(ctx.staffOrNull.scope, place.adcode)) throw refuseField('adcode', OUTSIDE);
  return place;
}

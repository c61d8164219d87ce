import { refuseField } from '../../../kernel/contract/errors.ts';
import { seesRegion } from '../../../kernel/server/auth/scope.ts';
import type { Context, Db, Tx, Writing } from '../../../kernel/server/context.ts';
import { regionsOf, type Region } from '../../identity/server/index.ts';

/** Where an institution stands, with the names that its own name is compared without. */
export interface Place {
  adcode: string;
  cityAdcode: string;
  provinceAdcode: string;
  province: string;
  city: string;
}

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
    city: known.get(cityAdcode)?.name ?? '',
  };
}

/** @throws Refusal SCM90020 for an unknown region or a whole province. */
export async function requirePlace(db: Db | Tx, adcode: string): Promise<Place> {
  const known = await regionsOf(db, [adcode]);
  const successor = known.get(adcode)?.replacedBy;
  const place = placeOf(successor ? new Map([...known, ...(await regionsOf(db, [successor]))]) : known, adcode);
  if (!place || place.adcode.endsWith('0000')) throw refuseField('adcode', '请选择省市区');
  return place;
}

export const OUTSIDE = '该地区不在您的数据范围内';

/** Where somebody may put an institution. @throws Refusal SCM90020 as `requirePlace`, and outside the regions of his data scope. */
export async function requireOwnPlace(ctx: Pick<Writing, 'tx'> & Pick<Context, 'staffOrNull'>, adcode: string): Promise<Place> {
  const place = await requirePlace(ctx.tx, adcode);
  if (ctx.staffOrNull && !seesRegion(ctx.staffOrNull.scope, place.adcode)) throw refuseField('adcode', OUTSIDE);
  return place;
}

/** `浙江省杭州市西湖区` of a code among known regions. */
export function regionText(known: ReadonlyMap<string, Region>, adcode: string): string {
  const names = [`${adcode.slice(0, 2)}0000`, `${adcode.slice(0, 4)}00`, adcode].flatMap((code) => known.get(code)?.name ?? []);
  return [...new Set(names)].filter((name) => name !== '市辖区').join('') || adcode;
}

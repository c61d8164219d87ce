import { distanceM } from '../../contract/geometry.ts';
import { diceBp } from './normName.ts';

/** What is compared of a hospital. */
export interface Comparable {
  normName: string;
  nameGrams: readonly string[];
  aliasNorms: readonly string[];
  uscc: string | null;
  licenceNo: string | null;
  nhsaCode: string | null;
  lngE6: number | null;
  latE6: number | null;
  phone: string;
  kind: string;
  parentId: string | null;
}

export interface Score {
  score: number;
  why: string[];
  distanceM: number | null;
}

export const RELATED = 60;
const DICE_FROM = 6_000;

const sameName = (a: Comparable, b: Comparable) => {
  const names = new Set([b.normName, ...b.aliasNorms]);
  return a.normName === b.normName || [a.normName, ...a.aliasNorms].some((name) => names.has(name));
};

/** How likely two hospitals are one (R2), 0 to 100, with the reasons in the operator's words. Integers only. */
export function duplicateScore(a: Comparable, b: Comparable): Score {
  const why: string[] = [];
  let score = 0;
  const add = (points: number, reason: string) => {
    score += points;
    why.push(`${reason} ${points > 0 ? '+' : ''}${points}`);
  };
  const keys = [
    ['uscc', '统一社会信用代码相同'],
    ['licenceNo', '许可证号相同'],
    ['nhsaCode', '医保编码相同'],
  ] as const;
  const equal = keys.find(([key]) => a[key] !== null && a[key] === b[key]);
  if (equal) add(100, equal[1]);
  if (sameName(a, b)) add(70, a.normName === b.normName ? '名称一致' : '名称与别名一致');
  else {
    const dice = diceBp(a.nameGrams, b.nameGrams);
    if (dice >= DICE_FROM) add(Math.floor((60 * dice) / 10_000), `名称相似${Math.floor(dice / 100)}%`);
  }
  const apart =
    a.lngE6 !== null && a.latE6 !== null && b.lngE6 !== null && b.latE6 !== null
      ? distanceM({ lngE6: a.lngE6, latE6: a.latE6 }, { lngE6: b.lngE6, latE6: b.latE6 })
      : null;
  if (apart !== null && apart <= 300) add(20, `相距${apart}米`);
  else if (apart !== null && apart <= 1000) add(10, `相距${apart}米`);
  if (a.phone !== '' && a.phone === b.phone) add(15, '电话相同');
  if (a.kind !== b.kind) add(-10, '类型不同');
  if (a.parentId !== null && a.parentId === b.parentId) add(-40, '同一主院的院区');
  return { score: Math.max(0, Math.min(100, score)), why, distanceM: apart };
}

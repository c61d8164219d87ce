import type { AdjudicationInput } from './input.ts';
import { partsOfKey } from './keys.ts';
import type { VersionSpec } from './spec.ts';
import { claimed } from './waterfall.ts';

/** What the schema of an input cannot hold, in words; null: the input is whole. */
export function inputFault(spec: VersionSpec, { cover, lines, balances, countedDays, overrides }: AdjudicationInput): string | null {
  if (!spec.plans.some(({ planCode }) => planCode === cover.planCode)) return `保障计划“${cover.planCode}”不在该产品版本中`;
  if (cover.coverageEnd < cover.coverageStart) return '终保日期不能早于起保日期';
  const seen = new Set<number>();
  for (const line of lines) {
    if (seen.has(line.lineNo)) return `明细行号${line.lineNo}重复`;
    seen.add(line.lineNo);
    if (claimed(line).amount === 0) return `第${line.lineNo}行的金额、数量×单价须大于0，未收费的药品请从明细中移除`;
  }
  for (const key of Object.keys(balances)) if (partsOfKey(key) === null) return `已用额度“${key}”不是额度账户`;
  for (const key of Object.keys(countedDays)) if (partsOfKey(key)?.kind !== 'CNT') return `已计次的日期“${key}”不是次数账户`;
  for (const [index, { lineNo, kind, value }] of overrides.entries()) {
    if (!seen.has(lineNo)) return `人工核减第${index + 1}条指向第${lineNo}行，明细中没有这一行`;
    if (kind !== 'EXCLUDE' && value === null) return `人工核减第${index + 1}条未填写核减值`;
  }
  return null;
}

import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { int4 } from '#kernel/contract/fields.ts';
import { yuan } from '#kernel/contract/money.ts';
import { adjudicationOutcomes, type AdjudicationResult } from '../adjudication/result.ts';

const fen = z.int('金额须为整数分').check(z.minimum(0, '金额不能小于0'));

/** What a test case expects; what it leaves out is not looked at. */
export const expectedResult = z.strictObject({
  payableFen: field('应赔金额', z.optional(fen), { kind: 'money' }),
  lines: field(
    '明细',
    z.optional(
      z
        .array(
          z.strictObject({
            lineNo: field('行号', int4()),
            payableFen: field('赔付额', fen, { kind: 'money' }),
            reasons: field('原因', z.array(z.string().check(z.maxLength(8))).check(z.maxLength(60, '原因最多60个'))),
          }),
        )
        .check(z.maxLength(200)),
    ),
  ),
  outcome: field('结论', z.optional(adjudicationOutcomes.schema)),
  /** Codes of control rules that hit. */
  controlHits: field('控费命中', z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(200, '控费命中最多200条')))),
});
export type ExpectedResult = z.output<typeof expectedResult>;

/** Nothing is expected: such a case would pass whatever comes out. */
export const expectsNothing = ({ payableFen, lines, outcome, controlHits }: ExpectedResult): boolean =>
  payableFen === undefined && (lines ?? []).length === 0 && outcome === undefined && controlHits === undefined;

const money = (amount: number) => `${yuan(amount, true)}元`;
const listed = (codes: readonly string[]) => (codes.length === 0 ? '无' : codes.toSorted().join('、'));

/** Where a result differs from what was expected, a sentence each; none: the case passes. */
export function deviationsOf(expected: ExpectedResult, result: AdjudicationResult): string[] {
  const found: string[] = [];
  if (expected.payableFen !== undefined && expected.payableFen !== result.payableFen)
    found.push(`应赔金额：期望${money(expected.payableFen)}，实际${money(result.payableFen)}`);
  if (expected.outcome !== undefined && expected.outcome !== result.outcome)
    found.push(`结论：期望${adjudicationOutcomes.label(expected.outcome)}，实际${adjudicationOutcomes.label(result.outcome)}`);
  for (const { lineNo, payableFen, reasons } of expected.lines ?? []) {
    const line = result.lines.find((one) => one.lineNo === lineNo);
    if (!line) {
      found.push(`第${lineNo}行：实际没有该行`);
      continue;
    }
    if (line.payableFen !== payableFen) found.push(`第${lineNo}行赔付额：期望${money(payableFen)}，实际${money(line.payableFen)}`);
    const codes = listed([...new Set(line.reasons.map(({ code }) => code))]);
    if (codes !== listed([...new Set(reasons)])) found.push(`第${lineNo}行原因：期望${listed(reasons)}，实际${codes}`);
  }
  if (expected.controlHits !== undefined) {
    const hits = listed([...new Set(result.hits.map(({ ruleCode }) => ruleCode))]);
    if (hits !== listed([...new Set(expected.controlHits)])) found.push(`控费命中：期望${listed(expected.controlHits)}，实际${hits}`);
  }
  return found;
}

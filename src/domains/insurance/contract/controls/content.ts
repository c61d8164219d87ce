import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, optionalText, text } from '#kernel/contract/fields.ts';
import { yuan } from '#kernel/contract/money.ts';
import { completeGroup, conditionGroup, type ConditionGroup } from '#kernel/contract/rules/groups.ts';
import { sentenceOfGroup } from '#kernel/contract/rules/typed.ts';
import { decimalOf } from '../adjudication/facts.ts';
import type { CapSpec, CapTarget, ControlMode } from '../adjudication/spec.ts';
import { adjudicationReasons, claimReasons } from '../reasons/codes.ts';
import { ruleVariable, type ControlStage } from '../rules/variables.ts';
import { capTargetWords, controlModeWords } from './dictionaries.ts';

const MOST = 1_000_000_000_000;

/** A quantity is in thousandths of the unit of sale, the other targets in fen; instead of a value a variable times a factor. */
export const capInput = z.strictObject({
  target: field('限额对象', capTargetWords.schema),
  value: field('限额值', z.nullable(z.int('限额值须为整数').check(z.minimum(0, '限额值不能小于0'), z.maximum(MOST, '限额值过大')))),
  variable: field('限额变量', z.nullable(z.string().check(z.maxLength(60)))),
  factorBp: field('倍数', z.nullable(z.int('倍数不正确').check(z.minimum(1, '倍数须大于0'), z.maximum(1_000_000, '倍数最大为100')))),
});

export const reasonWords: Readonly<Record<string, string>> = { ...adjudicationReasons, ...claimReasons };

/** What a version of a control rule says; it is frozen with its submission. */
export const controlContent = {
  ruleName: text('规则名称', 40, 1),
  mode: field('控费方式', controlModeWords.schema),
  expression: conditionGroup,
  cap: field('限额', z.nullable(capInput)),
  reasonCode: field('核减原因', z.nullable(z.string().check(z.regex(/^L\d{2}$/, '核减原因不正确')))),
  applicantText: optionalText('对客说明', 200),
  internalNote: optionalText('内部备注', 200),
  effectiveFrom: field('生效日', day),
  effectiveTo: field('失效日', z.nullable(day)),
  gapNote: optionalText('空档说明', 200),
};
const contentSchema = z.strictObject({ ...controlContent, expression: completeGroup });
export type ControlContent = z.output<typeof contentSchema>;

/** Targets by the kind of amount that they take. */
export const capIsQuantity = (target: CapTarget): boolean => target === 'QTY';

/** Modes that the applicant feels: he is told why. */
export const isFelt = (mode: ControlMode): boolean => mode === 'CAP' || mode === 'HOLD' || mode === 'REJECT';

/** Modes that need a week of watching, or a replay, before. */
export const needsProof = (mode: ControlMode): boolean => mode === 'HOLD' || mode === 'REJECT';
export const MONITOR_DAYS = 7;

/** Above this share of overturned hits, and this many hits, a rule is to be looked at again. */
export const REVIEW_RATE_BP = 3000;
export const REVIEW_HITS = 10;

const factorText = (factorBp: number) => {
  const text = (factorBp / 10_000).toFixed(4).replace(/\.?0+$/, '');
  return text === '1' ? '' : `×${text}`;
};

/** `数量 ≤ 2`, `单价 ≤ 950.00元`, `数量 ≤ 同药30天数量×1.2`. */
export function capText(cap: CapSpec | null): string {
  if (!cap) return '';
  const head = `${capTargetWords.label(cap.target)} ≤ `;
  if (cap.variable !== null) return `${head}${ruleVariable(cap.variable)?.name ?? cap.variable}${factorText(cap.factorBp ?? 10_000)}`;
  const value = cap.value ?? 0;
  return head + (capIsQuantity(cap.target) ? decimalOf(value) : `${yuan(value, true)}元`);
}

/** The conditions as a Chinese sentence. */
export const conditionText = (expression: ConditionGroup): string => sentenceOfGroup(expression, ruleVariable);

/** The whole rule as a person says it: `当 …时，限额（数量 ≤ 2）`. */
export const ruleSentence = ({ expression, mode, cap }: Pick<ControlContent, 'expression' | 'mode' | 'cap'>): string =>
  `当 ${conditionText(expression)} 时，${controlModeWords.label(mode)}${cap ? `（${capText(cap)}）` : ''}`;

/** Fault of a cap for its stage; null: none. The first is the design's refusal, others stand at the field. */
export function capFault(
  mode: ControlMode,
  cap: CapSpec | null,
  stage: ControlStage,
): 'MISSING' | { path: string; message: string } | null {
  if (mode !== 'CAP') return cap === null ? null : { path: 'cap', message: '只有控费方式为“限额”时填写限额' };
  if (cap === null || (cap.value === null) === (cap.variable === null)) return 'MISSING';
  if (stage === 'ENROL') return { path: 'mode', message: '入组环节没有金额可限，请选择其他控费方式' };
  if (cap.variable === null) return null;
  const variable = ruleVariable(cap.variable);
  if (!variable?.stages.includes(stage)) return { path: 'cap.variable', message: '限额变量不适用于该环节' };
  if (variable.kind !== (capIsQuantity(cap.target) ? 'NUMBER' : 'MONEY'))
    return { path: 'cap.variable', message: capIsQuantity(cap.target) ? '数量限额须用数值变量' : '金额限额须用金额变量' };
  return null;
}

/** Rows of a comparison of two versions, those that differ first as such. */
export function contentRows(content: ControlContent): { label: string; text: string }[] {
  return [
    { label: '名称', text: content.ruleName },
    { label: '控费方式', text: controlModeWords.label(content.mode) },
    { label: '条件', text: conditionText(content.expression) },
    { label: '限额', text: capText(content.cap) },
    { label: '核减原因', text: content.reasonCode === null ? '' : `${content.reasonCode} ${reasonWords[content.reasonCode] ?? ''}`.trim() },
    { label: '对客说明', text: content.applicantText },
    { label: '内部备注', text: content.internalNote },
    { label: '生效期', text: `${content.effectiveFrom} 至 ${content.effectiveTo ?? '长期'}` },
  ];
}

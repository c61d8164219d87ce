import type { ProductLine } from '../businessLines.ts';
import { claimTypes } from '../businessLines.ts';
import { lineForms } from '../products/lineForms.ts';
import type { Plan, VersionDocument } from './document.ts';
import { rateFaults } from './rateCoverage.ts';
import { tierFaults, unreachableTiers } from './tierCoverage.ts';
import { tierWords } from './words.ts';

export interface Problem {
  /** Where the editor finds it: `benefits.0.tiers`. */
  path: string;
  level: 'ERROR' | 'WARN';
  message: string;
  /** The refusal of a submission that this problem is, with what it names. */
  refusal?:
    | { name: 'TIER_FAULT'; params: { name: string; kind: '空档' | '重叠'; detail: string } }
    | { name: 'GROUP_MISSING'; params: { code: string } }
    | { name: 'RATES_FAULT'; params: { name: string; detail: string } };
}

const twice = (codes: readonly string[]): string[] => [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))];

function* basics(doc: VersionDocument, line: ProductLine): Generator<Problem> {
  const error = (path: string, message: string): Problem => ({ path, level: 'ERROR', message });
  if (doc.clauseFileId === null) yield error('clauseFileId', '请上传条款PDF');
  if (doc.filingNo === '' && lineForms[line].payer === 'INSURER') yield error('filingNo', '请填写备案号');
  if (doc.effectiveTo !== null && doc.effectiveTo < doc.effectiveFrom) yield error('effectiveTo', '失效日不能早于生效日');
  if (doc.claimTypes.length === 0) yield error('claimTypes', '请至少配置一种理赔类型');
  for (const [index, { claimType }] of doc.claimTypes.entries()) {
    if (!lineForms[line].claimTypes.includes(claimType))
      yield error(`claimTypes.${index}`, `该业务线不支持理赔类型“${claimTypes.label(claimType)}”`);
  }
  for (const code of twice(doc.claimTypes.map(({ claimType }) => claimType)))
    yield error('claimTypes', `理赔类型“${claimTypes.label(code)}”重复`);
  if (doc.hospitalScope === 'LIST' && doc.hospitalIds.length + doc.drugstoreIds.length === 0)
    yield error('hospitalIds', '医疗机构为“指定机构”时请选择医院或药店');
  if (doc.hospitalScope === 'LIST' && doc.drugstoreIds.length === 0 && doc.claimTypes.some(({ claimType }) => claimType === 'DIRECT'))
    yield { path: 'drugstoreIds', level: 'WARN', message: '理赔类型含“直付”，但未指定药店：任何药店都不能直付' };
  for (const [path, label, ids] of [
    ['hospitalIds', '指定医院', doc.hospitalIds],
    ['drugstoreIds', '指定药店', doc.drugstoreIds],
  ] as const) {
    if (doc.hospitalScope !== 'LIST' && ids.length > 0)
      yield { path: 'hospitalScope', level: 'WARN', message: `医疗机构不是“指定机构”，已选的${ids.length}家${label}不起作用` };
    if (twice(ids).length > 0) yield error(path, `${label}有重复`);
  }
  if (doc.plans.length === 0) yield error('plans', '请至少添加一个保障计划');
  if (doc.benefits.length === 0) yield error('benefits', '请至少添加一个保障责任');
  for (const code of twice(doc.plans.map(({ planCode }) => planCode))) yield error('plans', `计划编码${code}重复`);
  for (const code of twice(doc.benefits.map(({ benefitCode }) => benefitCode))) yield error('benefits', `责任编码${code}重复`);
  for (const code of twice(doc.limitGroups.map(({ groupCode }) => groupCode))) yield error('limitGroups', `共享组编码${code}重复`);
  for (const code of twice(doc.rights.map(({ rightCode }) => rightCode))) yield error('rights', `权益编码${code}重复`);
  if (doc.enrolConfig.ageMin > doc.enrolConfig.ageMax) yield error('enrolConfig.ageMax', '入组最大年龄不能小于最小年龄');
}

function* tierProblems(path: string, name: string, rates: Parameters<typeof tierFaults>[0], plans: readonly Plan[]): Generator<Problem> {
  for (const { kind, detail } of tierFaults(rates)) {
    yield {
      path,
      level: 'ERROR',
      message: `责任“${name}”赔付比例区间有${kind}：${detail}`,
      refusal: { name: 'TIER_FAULT', params: { name, kind, detail } },
    };
  }
  for (const { tier, why } of unreachableTiers(rates, plans))
    yield { path, level: 'WARN', message: `责任“${name}”的赔付比例“${tierWords(tier)}”永远用不到：${why}` };
}

function* plansOf(doc: VersionDocument): Generator<Problem> {
  for (const [index, plan] of doc.plans.entries()) {
    if (plan.ageMax < plan.ageMin)
      yield { path: `plans.${index}.ageMax`, level: 'ERROR', message: `计划“${plan.planName}”最大年龄不能小于最小年龄` };
    for (const detail of rateFaults(plan)) {
      yield {
        path: `plans.${index}.rates`,
        level: 'ERROR',
        message: `计划“${plan.planName}”费率未覆盖${detail}`,
        refusal: { name: 'RATES_FAULT', params: { name: plan.planName, detail } },
      };
    }
    for (const code of Object.keys(plan.overrides.groups)) {
      if (!doc.limitGroups.some(({ groupCode }) => groupCode === code)) yield missingGroup(`plans.${index}.overrides`, code);
    }
    for (const [code, { tiers }] of Object.entries(plan.overrides.benefits)) {
      const path = `plans.${index}.overrides.benefits.${code}`;
      const benefit = doc.benefits.find(({ benefitCode }) => benefitCode === code);
      if (!benefit) yield { path, level: 'ERROR', message: `计划“${plan.planName}”另设的责任${code}不存在` };
      else if (tiers) yield* tierProblems(`${path}.tiers`, `${benefit.benefitName}（${plan.planName}）`, { ...benefit, tiers }, [plan]);
    }
  }
}

const missingGroup = (path: string, code: string): Problem => ({
  path,
  level: 'ERROR',
  message: `共享组${code}不存在`,
  refusal: { name: 'GROUP_MISSING', params: { code } },
});

function* benefitsOf(doc: VersionDocument, line: ProductLine): Generator<Problem> {
  const offered = new Set(doc.claimTypes.map(({ claimType }) => claimType));
  for (const [index, benefit] of doc.benefits.entries()) {
    const at = `benefits.${index}`;
    const name = benefit.benefitName;
    const error = (path: string, message: string): Problem => ({ path: `${at}.${path}`, level: 'ERROR', message });
    yield* tierProblems(`${at}.tiers`, name, benefit, doc.plans);
    for (const [code, kind, path] of [
      ...(benefit.deductibleGroup === null ? [] : [[benefit.deductibleGroup, 'DEDUCTIBLE', 'deductibleGroup'] as const]),
      ...benefit.ceilingGroups.map((group) => [group, 'CEILING', 'ceilingGroups'] as const),
    ]) {
      const group = doc.limitGroups.find(({ groupCode }) => groupCode === code);
      if (!group) yield missingGroup(`${at}.${path}`, code);
      else if (group.kind !== kind) yield error(path, `责任“${name}”的${kind === 'DEDUCTIBLE' ? '免赔组' : '限额组'}${code}种类不符`);
    }
    if (benefit.formularyId === null) yield error('formularyId', `责任“${name}”请选择药品目录`);
    else if (benefit.formularyMode === 'PINNED' && benefit.formularyVersionId === null)
      yield error('formularyVersionId', `责任“${name}”锁定目录时请选择目录版本`);
    const unoffered = benefit.claimTypes.filter((type) => !offered.has(type));
    if (unoffered.length > 0)
      yield error('claimTypes', `责任“${name}”的理赔类型“${unoffered.map(claimTypes.label).join('、')}”未在理赔类型中配置`);
    if (!lineForms[line].socialModes.includes(benefit.socialMode)) yield error('socialMode', `责任“${name}”的医保处理不适用于该业务线`);
    if (benefit.deductibleGroup !== null && !lineForms[line].deductibles)
      yield error('deductibleGroup', `责任“${name}”：该业务线不设免赔组`);
  }
  for (const type of offered) {
    if (!doc.benefits.some((benefit) => benefit.claimTypes.includes(type)))
      yield { path: 'claimTypes', level: 'WARN', message: `没有责任适用于理赔类型“${claimTypes.label(type)}”` };
  }
}

/** All that keeps a version from being handed in, and what its author should look at besides. */
export const problemsOf = (doc: VersionDocument, line: ProductLine): Problem[] => [
  ...basics(doc, line),
  ...plansOf(doc),
  ...benefitsOf(doc, line),
];

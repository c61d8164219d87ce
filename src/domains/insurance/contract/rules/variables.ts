import type { TypedKind, TypedVariable } from '#kernel/contract/rules/groups.ts';
import { claimTypes, materialTypes } from '../businessLines.ts';
import { hospitalGrades } from '../model/enrolConfig.ts';

/** Where control rules are looked at; claim rules are those of a claim. */
export const controlStages = ['ENROL', 'DIRECT', 'CLAIM', 'PAY'] as const;
export type ControlStage = (typeof controlStages)[number];

interface Declared {
  name: string;
  kind: TypedKind;
  unit?: string;
  options?: readonly { value: string; label: string }[];
  /** Stages that know it; left out: those of a claim. */
  stages?: readonly ControlStage[];
}

const everywhere = controlStages;
const optionsOf = <C extends string>(of: { codes: readonly C[]; label: (code: C) => string }) =>
  of.codes.map((value) => ({ value, label: of.label(value) }));

/** What rules can be about, in the order in which a person looks for it. Money is in fen, quantities in units of sale. */
const declared = {
  'claim.amount': { name: '本案申报金额', kind: 'MONEY', unit: '元' },
  'claim.payable': { name: '核定金额', kind: 'MONEY', unit: '元', stages: ['PAY'] },
  'claim.type': { name: '理赔类型', kind: 'OPTION', options: optionsOf(claimTypes) },
  'claim.delayDays': { name: '提交距购药天数', kind: 'NUMBER', unit: '天' },
  'claim.materials': { name: '材料', kind: 'SET', options: optionsOf(materialTypes) },
  'claim.dupScore': { name: '发票疑似重复', kind: 'NUMBER', unit: '分' },
  'claim.settleMode': { name: '结算方式', kind: 'TEXT' },
  'line.medicineId': { name: '药品', kind: 'OPTION' },
  'line.genericName': { name: '通用名', kind: 'TEXT' },
  'line.geneRequired': { name: '药品需基因检测', kind: 'BOOL' },
  'line.unitPrice': { name: '单价', kind: 'MONEY', unit: '元' },
  'line.qty': { name: '数量', kind: 'NUMBER', unit: '个单位' },
  'line.doseFactor': { name: '日剂量倍数', kind: 'NUMBER', unit: '倍' },
  'line.sinceLastDays': { name: '距上次同药天数', kind: 'NUMBER', unit: '天' },
  'line.qty30d': { name: '同药30天数量', kind: 'NUMBER', unit: '个单位' },
  'line.qty90d': { name: '同药90天数量', kind: 'NUMBER', unit: '个单位' },
  'line.earlyRefillDays': { name: '提前续药天数', kind: 'NUMBER', unit: '天' },
  'person.age': { name: '年龄', kind: 'NUMBER', unit: '岁', stages: everywhere },
  'person.gender': {
    name: '性别',
    kind: 'OPTION',
    options: [
      { value: 'M', label: '男' },
      { value: 'F', label: '女' },
    ],
    stages: everywhere,
  },
  'person.socialAdcode': { name: '参保地', kind: 'OPTION', stages: everywhere },
  'person.enrolDays': { name: '入组天数', kind: 'NUMBER', unit: '天', stages: everywhere },
  'person.claims30d': { name: '30天理赔次数', kind: 'NUMBER', unit: '次', stages: everywhere },
  'person.stores90d': { name: '90天购药门店数', kind: 'NUMBER', unit: '家', stages: everywhere },
  'person.paidYear': { name: '本年已赔', kind: 'MONEY', unit: '元', stages: everywhere },
  'person.marks': { name: '特殊标记', kind: 'SET', stages: everywhere },
  'dx.icd10': { name: '诊断', kind: 'SET', stages: everywhere },
  'dx.sinceStartDays': { name: '确诊距起保天数', kind: 'NUMBER', unit: '天', stages: everywhere },
  'hospital.grade': { name: '医院等级', kind: 'OPTION', options: optionsOf(hospitalGrades), stages: everywhere },
  'doctor.rx30d': { name: '医生30天处方数', kind: 'NUMBER', unit: '张', stages: everywhere },
  'doctor.deviation': { name: '医生同科偏离倍数', kind: 'NUMBER', unit: '倍', stages: everywhere },
  'store.paid30d': { name: '门店30天赔付额', kind: 'MONEY', unit: '元' },
  'store.deviation': { name: '门店偏离倍数', kind: 'NUMBER', unit: '倍' },
  'store.id': { name: '门店', kind: 'OPTION' },
} as const satisfies Record<string, Declared>;

/** Days since the last purchase of the medicine; where there was none the fact says so many. */
export const SINCE_LAST = 'line.sinceLastDays';
export const NEVER_BEFORE = '99999';
/** Part of an input, named where it is missing. */
export const MONTHS_SINCE_FIRST_DOSE = 'line.monthsSinceFirstDose';
/** What was bought of a medicine within so many days, whatever number a drug list declares. */
export const quantityFact = (days: number): string => `line.qty${days}d`;

const CLAIM_STAGES: readonly ControlStage[] = ['DIRECT', 'CLAIM', 'PAY'];

export interface RuleVariableOfClaims extends TypedVariable {
  stages: readonly ControlStage[];
}

export const ruleVariables: readonly RuleVariableOfClaims[] = Object.entries<Declared>(declared).map(
  ([code, { name, kind, unit = '', options = [], stages = CLAIM_STAGES }]) => ({ code, name, kind, unit, options, stages }),
);
const byCode = new Map(ruleVariables.map((one) => [one.code, one]));

/** Undefined where there is none of that code. */
export const ruleVariable = (code: string): RuleVariableOfClaims | undefined => byCode.get(code);

/** The same, of a stage alone. */
export const variableAt =
  (stage: ControlStage) =>
  (code: string): RuleVariableOfClaims | undefined => {
    const found = byCode.get(code);
    return found?.stages.includes(stage) ? found : undefined;
  };

const ofInput: Readonly<Record<string, string>> = {
  'claim.firstDiagnosedOn': '确诊日期',
  [MONTHS_SINCE_FIRST_DOSE]: '距首次用药月数',
};

/** The name of what an engine misses, as people read it. */
export function factName(code: string): string {
  const days = /^line\.qty(\d+)d$/.exec(code)?.[1];
  return byCode.get(code)?.name ?? ofInput[code] ?? (days === undefined ? code : `同药${days}天数量`);
}

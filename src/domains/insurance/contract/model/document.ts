import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, id, text } from '#kernel/contract/fields.ts';
import { claimTypes, materialTypes, MOST_MATERIALS } from '../businessLines.ts';
import {
  formularyModes,
  groupKinds,
  groupPeriods,
  groupSubjects,
  hospitalScopes,
  occurrenceKeys,
  preExistingModes,
  rateGenders,
  rightKinds,
  socialModes,
  socialStatuses,
  tierPreExistings,
  tierSocials,
  waitingEffects,
} from './dictionaries.ts';
import { enrolConfig } from './enrolConfig.ts';

/** Amounts of one person's cover stay below what a number holds by far. */
const MOST_FEN = 100_000_000_000;

const code = (label: string) =>
  field(label, z.string(`请输入${label}`).check(z.trim(), z.regex(/^[A-Z0-9_]{1,24}$/, `${label}须为1-24位大写字母、数字或下划线`)));
const amount = (label: string, least = 1) =>
  field(label, z.int(`请输入${label}`).check(z.minimum(least, `${label}不能小于${least / 100}元`), z.maximum(MOST_FEN, `${label}过大`)), {
    kind: 'money',
  });
const limit = (label: string) => field(label, z.nullable(amount(label)), { kind: 'money' });
const whole = (label: string, least: number, most: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(least, `${label}不能小于${least}`), z.maximum(most, `${label}不能大于${most}`)));
const rate = (label: string) =>
  field(label, z.int(`请输入${label}`).check(z.minimum(0, `${label}不能小于0`), z.maximum(10_000, `${label}不能大于100%`)), {
    kind: 'rate',
  });

export const planRate = z.strictObject({
  gender: field('性别', rateGenders.schema),
  social: field('医保', socialStatuses.schema),
  ageFrom: whole('起始年龄', 0, 120),
  ageTo: whole('截止年龄', 0, 120),
  annualPremiumFen: amount('年保费', 0),
});
export type PlanRate = z.output<typeof planRate>;

export const benefitTier = z.strictObject({
  social: field('医保结算', tierSocials.schema),
  preExisting: field('既往症', tierPreExistings.schema),
  monthFrom: whole('起始月', 0, 999),
  monthTo: whole('截止月', 0, 999),
  fromFen: amount('分段起', 0),
  /** Null: without end. */
  toFen: field('分段止', z.nullable(amount('分段止'))),
  rateBp: rate('赔付比例'),
});
export type BenefitTier = z.output<typeof benefitTier>;

const caps = {
  perLineFen: limit('单项限额'),
  perItemYearFen: limit('单药年限额'),
  perClaimFen: limit('次限额'),
  perYearFen: limit('年限额'),
  lifetimeFen: limit('终身限额'),
  timesPerYear: field('年次数', z.nullable(whole('年次数', 1, 9_999))),
};

/** What a plan has otherwise than the version: amounts of groups, caps and rates of benefits. */
const planOverrides = z.strictObject({
  groups: field('另设的共享组金额', z._default(z.record(z.string(), amount('共享组金额', 0)), {})),
  benefits: field(
    '另设的责任参数',
    z._default(
      z.record(z.string(), z.partial(z.strictObject({ ...caps, tiers: field('赔付比例', z.array(benefitTier).check(z.maxLength(60))) }))),
      {},
    ),
  ),
});
export const plan = z.strictObject({
  planCode: code('计划编码'),
  planName: text('计划名称', 40, 1),
  sumInsuredFen: amount('保额'),
  ageMin: whole('最小年龄', 0, 120),
  ageMax: whole('最大年龄', 0, 120),
  socialRequired: field('医保要求', socialStatuses.schema),
  overrides: field('计划另设', z._default(planOverrides, { groups: {}, benefits: {} })),
  rates: field('费率', z.array(planRate).check(z.maxLength(500, '每个计划最多500行费率'))),
});
export type Plan = z.output<typeof plan>;

export const limitGroup = z.strictObject({
  groupCode: code('共享组编码'),
  groupName: text('共享组名称', 40, 1),
  kind: field('种类', groupKinds.schema),
  period: field('周期', groupPeriods.schema),
  subject: field('对象', groupSubjects.schema),
  amountFen: amount('金额', 0),
  otherPayOffsets: field('其他补偿抵扣', z.boolean()),
});
export type LimitGroup = z.output<typeof limitGroup>;

export const benefit = z.strictObject({
  benefitCode: code('责任编码'),
  benefitName: text('责任名称', 40, 1),
  claimTypes: field('理赔类型', z.array(claimTypes.schema).check(z.minLength(1, '请选择理赔类型'), z.maxLength(4, '理赔类型最多4种'))),
  priority: whole('匹配顺序', 1, 999),
  formularyId: field('药品目录', z.nullable(id)),
  formularyMode: field('目录方式', formularyModes.schema),
  formularyVersionId: field('目录版本', z.nullable(id)),
  drugScope: field('药品范围', z.array(id).check(z.maxLength(500))),
  diseasePrefixes: field(
    '疾病范围',
    z.array(z.string().check(z.regex(/^[A-Z][0-9A-Z.]{1,7}$/, '疾病范围须为ICD-10编码前缀'))).check(z.maxLength(100)),
  ),
  waitingDays: whole('等待期', 0, 365),
  waitingEffect: field('等待期效力', waitingEffects.schema),
  preExistingMode: field('既往症', preExistingModes.schema),
  socialMode: field('医保处理', socialModes.schema),
  deductibleGroup: field('免赔组', z.nullable(code('免赔组'))),
  ceilingGroups: field('限额组', z.array(code('限额组')).check(z.maxLength(10))),
  ...caps,
  tiers: field('赔付比例', z.array(benefitTier).check(z.maxLength(60, '每个责任最多60行赔付比例'))),
});
export type Benefit = z.output<typeof benefit>;

export const right = z.strictObject({
  rightCode: code('权益编码'),
  rightName: text('权益名称', 40, 1),
  kind: field('类型', rightKinds.schema),
  entitlementDefId: field('权益定义', z.nullable(id)),
  amountFen: limit('金额'),
  timesPerYear: field('年次数', z.nullable(whole('年次数', 1, 999))),
  requiredMaterials: field('申请材料', z.array(materialTypes.schema).check(z.maxLength(MOST_MATERIALS))),
  occurrenceKey: field('申请频次', occurrenceKeys.schema),
  drugIds: field('药品', z.array(id).check(z.maxLength(500))),
});
export type Right = z.output<typeof right>;

export const claimTypeConfig = z.strictObject({
  claimType: field('理赔类型', claimTypes.schema),
  label: text('对客名称', 20, 1),
  materials: field('材料', z.array(materialTypes.schema).check(z.maxLength(MOST_MATERIALS))),
  slaWorkdays: whole('时效（工作日）', 1, 60),
});

const adcode = z.string().check(z.regex(/^\d{6}$/, '地区不正确'));

/** What a version says beside its claim rules: the editor saves it as one. */
export const versionDocument = z.strictObject({
  effectiveFrom: field('生效日', day),
  effectiveTo: field('失效日', z.nullable(day)),
  clauseFileId: field('条款文件', z.nullable(id)),
  filingNo: text('备案号', 60),
  claimTypes: field('理赔类型与材料', z.array(claimTypeConfig).check(z.maxLength(4))),
  claimWindowDays: whole('申请时限（天）', 1, 3_650),
  regionsAllowed: field('就医地区', z.array(adcode).check(z.maxLength(400))),
  hospitalScope: field('医疗机构', hospitalScopes.schema),
  hospitalIds: field('指定医院', z.array(id).check(z.maxLength(2_000))),
  drugstoreIds: field('指定药店', z.array(id).check(z.maxLength(2_000))),
  enrolConfig: field('入组配置', enrolConfig),
  gapNote: text('停售说明', 200),
  plans: field('计划', z.array(plan).check(z.maxLength(20, '最多20个计划'))),
  limitGroups: field('共享组', z.array(limitGroup).check(z.maxLength(30, '最多30个共享组'))),
  benefits: field('保障责任', z.array(benefit).check(z.maxLength(30, '最多30个责任'))),
  rights: field('权益项', z.array(right).check(z.maxLength(30, '最多30个权益项'))),
});
export type VersionDocument = z.output<typeof versionDocument>;

import * as z from 'zod/mini';
import { between, ordered } from '#kernel/contract/between.ts';
import { bankTemplates } from '#kernel/contract/bank.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  int4,
  opinion,
  optionalDay,
  optionalId,
  optionalText,
  rateOut,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { itemTypes, titles } from '#domains/doctor/contract/dictionaries.ts';
import { hospitalLevels } from '#domains/institution/contract/dictionaries.ts';
import { baseTypes, earnedTypes, ruleTypes, taxMethods } from '../dictionaries.ts';
import { decision } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { ruleVersionMachine } from '../states.ts';

const service = declareService('SettleRuleService');
const view = may['rule.view'];
const edit = may['rule.edit'];
const MOST_FEN = 100_000_000;
const orNull = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null);
const amount = (label: string) =>
  field(label, fen.check(z.minimum(0, `${label}不能小于0`), z.maximum(MOST_FEN, `${label}不能大于100万元`)));

const testCase = z.strictObject({
  paidFen: amount('实付金额'),
  listFen: amount('标价金额'),
  expectFen: amount('期望分成'),
});
export const shareTestCase = testCase;

const terms = {
  ruleName: text('规则名称', 40, 2),
  effectiveFrom: field('生效日期', day),
  effectiveTo: field('失效日期', optionalDay),
  doctorId: field('医生', optionalId),
  channelId: field('渠道', optionalId),
  serviceItemId: field('服务项目', optionalId),
  serviceType: field('服务类型', orNull(itemTypes.schema)),
  doctorTitle: field('医生职称', orNull(titles.schema)),
  hospitalLevel: field('医院等级', orNull(hospitalLevels.schema)),
  incomeType: field('收入类型', orNull(earnedTypes.schema)),
  baseType: field('计费基数', orNull(baseTypes.schema)),
  ratioBp: field(
    '分成比例（万分之）',
    orNull(int4('分成比例须为整数').check(z.minimum(0, '比例须在0%–100%之间'), z.maximum(10_000, '比例须在0%–100%之间'))),
  ),
  fixedFen: field('固定金额', orNull(amount('固定金额'))),
  capFen: field('封顶金额', orNull(fen.check(z.minimum(1, '封顶金额须大于0'), z.maximum(MOST_FEN, '封顶金额不能大于100万元')))),
  freezeDays: field(
    '冻结期（天）',
    orNull(int4('冻结期须为0–60天').check(z.minimum(0, '冻结期须为0–60天'), z.maximum(60, '冻结期须为0–60天'))),
  ),
  cycleDay: field('批算日', orNull(int4('批算日须为1–28').check(z.minimum(1, '批算日须为1–28'), z.maximum(28, '批算日须为1–28')))),
  minPayoutFen: field('起付额', orNull(amount('起付额'))),
  payerEntityId: field('付款主体', optionalId),
  testCases: field('测试用例', z._default(z.array(testCase).check(z.maxLength(20, '测试用例最多20条')), [])),
};

interface Terms {
  ruleType: string;
  incomeType: string | null;
  baseType: string | null;
  ratioBp: number | null;
  fixedFen: number | null;
  freezeDays: number | null;
  cycleDay: number | null;
  minPayoutFen: number | null;
  payerEntityId: string | null;
  testCases: readonly object[];
}
const isShare = ({ ruleType }: Pick<Terms, 'ruleType'>) => ruleType === 'SHARE';
/** What a rule of each kind has to say. */
const complete = [
  ordered('effectiveFrom', 'effectiveTo', '失效日期须晚于生效日期', { apart: true }),
  between<Terms>(['ruleType', 'incomeType'], (rule) => !isShare(rule) || rule.incomeType !== null, '请选择收入类型'),
  between<Terms>(['ruleType', 'baseType'], (rule) => !isShare(rule) || rule.baseType !== null, '请选择计费基数'),
  between<Terms>(
    ['ruleType', 'ratioBp', 'fixedFen'],
    (rule) => !isShare(rule) || (rule.ratioBp ?? 0) > 0 || (rule.fixedFen ?? 0) > 0,
    '比例与固定金额至少填一项',
  ),
  between<Terms>(['ruleType', 'testCases'], (rule) => !isShare(rule) || rule.testCases.length > 0, '请至少填写一条测试用例'),
  between<Terms>(['ruleType', 'freezeDays'], (rule) => isShare(rule) || rule.freezeDays !== null, '请输入冻结期'),
  between<Terms>(['ruleType', 'cycleDay'], (rule) => isShare(rule) || rule.cycleDay !== null, '请输入批算日'),
  between<Terms>(['ruleType', 'minPayoutFen'], (rule) => isShare(rule) || rule.minPayoutFen !== null, '请输入起付额'),
  between<Terms>(['ruleType', 'payerEntityId'], (rule) => isShare(rule) || rule.payerEntityId !== null, '请选择付款主体'),
] as const;

const versionRow = z.strictObject({
  id: idOut,
  ruleId: idOut,
  ruleCode: field('规则编码', z.string(), { width: 150 }),
  ruleName: field('规则名称', z.string(), { width: 170 }),
  ruleType: field('规则类型', ruleTypes.schema, { width: 90 }),
  versionNo: field('版本', z.int(), { width: 70 }),
  scopeText: field('适用范围', z.string(), { width: 200 }),
  scopeWeight: field('优先级', z.int(), { width: 80 }),
  incomeType: field('收入类型', z.nullable(earnedTypes.schema), { width: 100 }),
  baseType: field('计费基数', z.nullable(baseTypes.schema), { width: 100 }),
  ratioBp: field('分成比例', z.nullable(rateOut), { width: 90 }),
  fixedFen: field('固定金额', z.nullable(fen)),
  capFen: field('封顶金额', z.nullable(fen)),
  freezeDays: field('冻结期（天）', z.nullable(z.int()), { width: 100 }),
  cycleDay: field('批算日', z.nullable(z.int()), { width: 80 }),
  minPayoutFen: field('起付额', z.nullable(fen)),
  payerName: field('付款主体', textOrNull, { width: 160 }),
  effectiveFrom: field('生效日期', dayOut, { width: 110 }),
  effectiveTo: field('失效日期', z.nullable(dayOut), { width: 110 }),
  doctorId: z.nullable(idOut),
  channelId: z.nullable(idOut),
  serviceItemId: z.nullable(idOut),
  serviceType: z.nullable(itemTypes.schema),
  doctorTitle: z.nullable(titles.schema),
  hospitalLevel: z.nullable(hospitalLevels.schema),
  payerEntityId: z.nullable(idOut),
  testCases: z.array(testCase),
  maker: field('制定人', z.string(), { width: 90 }),
  opinion: field('审核意见', textOrNull, { width: 160 }),
  publishedAt: field('发布时间', z.nullable(instantOut)),
  status: field('状态', ruleVersionMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(ruleVersionMachine),
});
export type RuleVersionRow = z.output<typeof versionRow>;
export const querySettlementRuleList = service.list({
  operation: 'querySettlementRuleList',
  label: '查询结算规则',
  access: view,
  filter: {
    ruleType: field('规则类型', z.optional(ruleTypes.schema)),
    ruleCode: z.optional(wholeText('规则编码', 30)),
    ruleName: z.optional(text('规则名称', 40)),
    incomeType: field('收入类型', z.optional(earnedTypes.schema)),
    status: field('状态', z.optional(ruleVersionMachine.dictionary.schema)),
    validOn: field('生效于', z.optional(day)),
  },
  output: versionRow,
});
export const exportSettlementRuleList = exportOf(querySettlementRuleList, {
  operation: 'exportSettlementRuleList',
  label: '导出结算规则',
  access: view,
});
export const querySettlementRuleTrail = service.read({
  operation: 'querySettlementRuleTrail',
  label: '查看结算规则审核记录',
  access: view,
  input: { id: field('规则版本', id) },
  output: trail,
});

const ruleAnswer = acted(ruleVersionMachine.dictionary.schema);
const addRuleInput = z.strictObject({ ruleType: field('规则类型', ruleTypes.schema), ...terms }).check(...complete);
export const addSettlementRule = service.act({
  operation: 'addSettlementRule',
  label: '新增结算规则',
  access: edit,
  ...ADDED,
  input: addRuleInput,
  output: ruleAnswer,
});
/** Of a draft its content; of what was published the next version. */
const modifyRuleInput = z
  .strictObject({ id: field('规则版本', id), version, ruleType: field('规则类型', ruleTypes.schema), ...terms })
  .check(...complete);
export const modifySettlementRule = service.act({
  operation: 'modifySettlementRule',
  label: '修改结算规则',
  access: edit,
  ...CHANGED,
  input: modifyRuleInput,
  output: ruleAnswer,
});
export const submitSettlementRule = service.act({
  operation: 'submitSettlementRule',
  label: '提交结算规则',
  access: edit,
  input: { id: field('规则版本', id), version },
  output: ruleAnswer,
});
export const auditSettlementRule = service.act({
  operation: 'auditSettlementRule',
  label: '审核结算规则',
  access: may['rule.audit'],
  input: { id: field('规则版本', id), version, decision, opinion: optionalText('意见', 500) },
  output: ruleAnswer,
});
export const retireSettlementRule = service.act({
  operation: 'retireSettlementRule',
  label: '停用结算规则',
  access: may['rule.audit'],
  input: { id: field('规则版本', id), version, effectiveTo: field('停用日期', day), opinion },
  output: ruleAnswer,
});
/** Every test case of a version, with what it comes to. */
export const testSettlementRule = service.read({
  operation: 'testSettlementRule',
  label: '运行规则测试用例',
  access: view,
  input: {
    baseType: field('计费基数', baseTypes.schema),
    ratioBp: field('分成比例（万分之）', int4('分成比例须为整数').check(z.minimum(0), z.maximum(10_000, '比例须在0%–100%之间'))),
    fixedFen: amount('固定金额'),
    capFen: field('封顶金额', orNull(fen.check(z.minimum(1, '封顶金额须大于0'), z.maximum(MOST_FEN, '封顶金额不能大于100万元')))),
    testCases: field('测试用例', z.array(testCase).check(z.minLength(1, '请至少填写一条测试用例'), z.maxLength(20, '测试用例最多20条'))),
  },
  output: z.array(z.strictObject({ actualFen: fen, expectFen: fen, ok: z.boolean() })),
});

const payerRow = z.strictObject({
  id: idOut,
  entityCode: field('主体编码', z.string(), { width: 120 }),
  entityName: field('主体名称', z.string(), { width: 240 }),
  taxNo: field('纳税人识别号', z.string(), { width: 190 }),
  bankName: field('开户行', z.string(), { width: 190 }),
  bankAccountMasked: field('付款账号', z.string(), { width: 170 }),
  bankTemplate: field('银行文件格式', bankTemplates.schema, { width: 140 }),
  isPlatform: field('互联网平台企业', z.boolean(), { width: 120 }),
  taxMethod: field('扣税方法', taxMethods.schema, { width: 120 }),
  enabled: field('启用', z.boolean(), { width: 80 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type PayerRow = z.output<typeof payerRow>;
export const queryPayerEntityList = service.list({
  operation: 'queryPayerEntityList',
  label: '查询付款主体',
  access: view,
  filter: {
    entityName: z.optional(text('主体名称', 60)),
    enabled: field('启用', z.optional(flag)),
  },
  output: payerRow,
});
export const exportPayerEntityList = exportOf(queryPayerEntityList, {
  operation: 'exportPayerEntityList',
  label: '导出付款主体',
  access: view,
});

const bankAccount = text('付款账号', 32, 6).check(z.regex(/^\d{6,32}$/, '付款账号应为6–32位数字'));
const payer = {
  entityName: text('主体名称', 60, 2),
  taxNo: text('纳税人识别号', 18).check(z.regex(/^[0-9A-Z]{18}$/, '纳税人识别号应为18位数字或大写字母')),
  bankName: text('开户行', 60, 2),
  bankTemplate: field('银行文件格式', bankTemplates.schema),
  isPlatform: field('互联网平台企业', flag),
};
const payerAnswer = z.strictObject({ id: idOut, version: z.int() });
export const addPayerEntity = service.act({
  operation: 'addPayerEntity',
  label: '新增付款主体',
  access: may['rule.payer'],
  ...ADDED,
  secrets: ['bankAccountNo'],
  input: {
    entityCode: text('主体编码', 20).check(z.regex(/^[A-Z0-9_]{2,20}$/, '主体编码为2–20位大写字母、数字或下划线')),
    ...payer,
    bankAccountNo: bankAccount,
  },
  output: payerAnswer,
});
export const modifyPayerEntity = service.act({
  operation: 'modifyPayerEntity',
  label: '修改付款主体',
  access: may['rule.payer'],
  ...CHANGED,
  secrets: ['bankAccountNo'],
  input: {
    id: field('付款主体', id),
    version,
    ...payer,
    enabled: field('启用', flag),
    /** Empty: stays as it is. */
    bankAccountNo: field('付款账号', z.optional(bankAccount)),
  },
  output: payerAnswer,
});
/** Our legal companies for the pickers of this domain's pages. */
export const queryPayerOptions = service.read({
  operation: 'queryPayerOptions',
  label: '查询付款主体选项',
  access: may['income.view'],
  input: {},
  output: z.array(z.strictObject({ value: idOut, label: z.string(), enabled: z.boolean() })),
});

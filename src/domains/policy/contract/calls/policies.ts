import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fenOut,
  id,
  idOut,
  instantOut,
  optionalText,
  rateOut,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, DELETED, declareService, maybe, nothing } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { productLines } from '#domains/insurance/contract/businessLines.ts';
import { holderTypes, payModes, policyTypes, prorates } from '../dictionaries.ts';
import { policyPermissions as may } from '../permissions.ts';
import { policyMachine } from '../states.ts';
import { premiumSum } from './premium.ts';

export const policyService = declareService('PolicyService', 'product');

export const policyRow = z.strictObject({
  id: idOut,
  policyNo: field('保单号', z.string(), { width: 170 }),
  platformNo: field('平台号', z.string(), { width: 160 }),
  insurerName: field('保司/企业', z.string(), { width: 130 }),
  productName: field('产品', z.string(), { width: 170 }),
  productVersionNo: field('产品版本', z.int(), { width: 80 }),
  productLine: field('业务线', productLines.schema, { width: 100 }),
  policyType: field('保单类型', policyTypes.schema, { width: 90 }),
  holderName: field('投保人', z.string(), { width: 150 }),
  coverageStart: field('起保日期', dayOut, { width: 110 }),
  coverageEnd: field('终保日期', dayOut, { width: 110 }),
  insuredCount: field('在保人数', z.int(), { width: 90 }),
  declaredCount: field('申报人数', z.int(), { width: 90 }),
  premiumFen: field('应收保费', fenOut, { width: 120 }),
  /** Of orders that nobody passed yet: until then nothing is due. */
  waitingFen: field('待审保费', fenOut, { width: 120 }),
  receivedFen: field('已收保费', fenOut, { width: 120 }),
  endorsementCount: field('批单数', z.int(), { width: 80 }),
  state: field('状态', policyMachine.dictionary.schema, { width: 90 }),
  createdAt: field('创建时间', instantOut),
  version: z.int(),
});
export type PolicyRow = z.output<typeof policyRow>;

const policyFilters = {
  policyNo: z.optional(wholeText('保单号', 40)),
  platformNo: z.optional(wholeText('平台号', 20)),
  holderName: z.optional(personName('投保人', 60)),
  insuredName: z.optional(personName('被保人姓名', 50)),
  idNo: z.optional(text('证件号', 30)),
  mobile: z.optional(text('手机号', 11)),
  insurerId: field('保司', z.optional(id)),
  productId: field('产品', z.optional(id)),
  productLine: field('业务线', z.optional(several(productLines.schema))),
  policyType: field('保单类型', z.optional(policyTypes.schema)),
  state: field('状态', z.optional(several(policyMachine.dictionary.schema))),
  startFrom: field('起保日期起', z.optional(day)),
  startTo: field('起保日期止', z.optional(day)),
  endFrom: field('终保日期起', z.optional(day)),
  endTo: field('终保日期止', z.optional(day)),
  endsWithinDays: field(
    '几天内到期',
    z.optional(z.int('天数须为整数').check(z.minimum(1, '天数从1开始'), z.maximum(366, '天数最大为366'))),
  ),
  adcode: field('地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '地区编码不正确')))),
};

export const queryPolicyList = policyService.list({
  operation: 'queryPolicyList',
  label: '查询保单',
  access: may['policy.view'],
  secrets: ['idNo', 'mobile'],
  filter: { ...sortedBy('platformNo', 'coverageEnd', 'insuredCount', 'premiumFen'), ...policyFilters },
  output: policyRow,
});
export const exportPolicy = exportOf(queryPolicyList, {
  operation: 'exportPolicy',
  label: '导出保单',
  access: may['policy.export'],
});
/** The same by an address, as the specification has it; a certificate or a number is never part of one. */
export const exportExcel = exportOf(queryPolicyList, {
  operation: 'exportExcel',
  method: 'GET',
  notInAddress: ['idNo', 'mobile'],
  label: '导出保单',
  access: may['policy.export'],
});
export const queryPolicyTotal = policyService.read({
  operation: 'queryPolicyTotal',
  label: '查询保单合计',
  access: may['policy.view'],
  input: policyFilters,
  output: z.strictObject({ policies: z.int(), insured: z.int(), premiumFen: fenOut, waitingFen: fenOut, receivedFen: fenOut }),
});

const days = (label: string, max: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(0, `${label}不能小于0`), z.maximum(max, `${label}最大为${max}`)));
/** What is entered of a policy. */
export const policyFields = {
  policyNo: text('保单号', 40, 1),
  productId: field('产品', id),
  policyType: field('保单类型', policyTypes.schema),
  holderType: field('投保人类型', holderTypes.schema),
  holderName: personName('投保人名称', 60, 1),
  holderIdNo: field('投保人证件号', maybe(text('投保人证件号', 30))),
  holderContact: field('投保人联系电话', maybe(text('投保人联系电话', 20))),
  coverageStart: field('起保日期', day),
  coverageEnd: field('终保日期', day),
  payMode: field('缴费方式', payModes.schema),
  graceDays: z._default(days('宽限期（天）', 180), 30),
  prorate: field('保费计算', z._default(prorates.schema, 'DAY')),
  refundFeeBp: field(
    '退费手续费率（万分之）',
    z._default(z.int('手续费率须为整数').check(z.minimum(0, '手续费率不能小于0'), z.maximum(10_000, '手续费率最大为10000')), 0),
  ),
  refundIfClaimed: field('赔付后仍退费', z._default(z.boolean(), true)),
  declaredCount: z._default(days('申报人数', 10_000_000), 0),
  maxBackdateDays: z._default(days('最多追溯天数', 366), 30),
  adcode: field('地区', maybe(z.string().check(z.regex(/^\d{6}$/, '地区编码不正确')))),
  channelName: optionalText('渠道', 60),
};
export const addPolicy = policyService.act({
  operation: 'addPolicy',
  label: '新增保单',
  access: may['policy.edit'],
  ...ADDED,
  input: policyFields,
  output: z.strictObject({
    id: idOut,
    policyNo: z.string(),
    platformNo: z.string(),
    state: policyMachine.dictionary.schema,
    version: z.int(),
  }),
});
export const modifyPolicy = policyService.act({
  operation: 'modifyPolicy',
  label: '修改保单联系信息',
  access: may['policy.edit'],
  ...CHANGED,
  input: {
    id,
    version,
    holderContact: policyFields.holderContact,
    declaredCount: field(
      '申报人数',
      z.int('申报人数须为整数').check(z.minimum(0, '申报人数不能小于0'), z.maximum(10_000_000, '申报人数过大')),
    ),
    channelName: policyFields.channelName,
  },
  output: z.strictObject({ id: idOut, version: z.int() }),
});
export const delPolicy = policyService.act({
  operation: 'delPolicy',
  label: '删除保单',
  access: may['policy.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});

/** A table of policies; its file is checked, looked at and written as a whole. */
export const POLICY_IMPORTER = 'policy.policy';
export const importPolicy = policyService.imports({ operation: 'importPolicy', label: '导入保单', access: may['policy.edit'] });

/** The same contract goes on for another term; its persons come as a list that is looked at before it takes effect. */
export const renewPolicy = policyService.act({
  operation: 'renewPolicy',
  label: '续保保单',
  access: may['policy.edit'],
  ...ADDED,
  input: {
    policyId: field('保单', id),
    version,
    policyNo: text('新保单号', 40, 1),
    coverageStart: field('新起保日期', day),
    coverageEnd: field('新终保日期', day),
  },
  output: z.strictObject({
    id: idOut,
    policyNo: z.string(),
    platformNo: z.string(),
    state: policyMachine.dictionary.schema,
    version: z.int(),
    batchId: idOut,
    batchNo: z.string(),
  }),
});

const suspension = z.strictObject({ from: dayOut, to: z.nullable(dayOut) });
const named = z.strictObject({ policyId: idOut, policyNo: z.string() });
export const queryPolicyDetail = policyService.read({
  operation: 'queryPolicyDetail',
  label: '查看保单',
  access: may['policy.view'],
  input: { policyId: field('保单', id) },
  output: z.strictObject({
    ...policyRow.shape,
    insurerId: z.nullable(idOut),
    productId: idOut,
    productVersionId: idOut,
    productCode: z.string(),
    holderType: field('投保人类型', holderTypes.schema),
    holderIdNo: field('投保人证件号', textOrNull),
    holderContact: field('投保人联系电话', textOrNull),
    termDays: z.int(),
    payMode: field('缴费方式', payModes.schema),
    graceDays: field('宽限期', z.int()),
    prorate: field('保费计算', prorates.schema),
    refundFeeBp: field('退费手续费率', rateOut),
    refundIfClaimed: field('赔付后仍退费', z.boolean()),
    maxBackdateDays: field('最多追溯天数', z.int()),
    renewalOf: z.nullable(named),
    renewedBy: z.nullable(named),
    adcode: field('地区', textOrNull),
    channelName: field('渠道', z.string()),
    suspensions: z.array(suspension),
    plans: z.array(z.strictObject({ planCode: z.string(), planName: z.string(), sumInsuredFen: fenOut })),
    premium: z.strictObject({ ...premiumSum.shape, overdue: z.int() }),
    uses: z.strictObject({ contracts: z.int(), openClaims: z.int(), paidFen: fenOut }),
    /** Kinds of endorsement that this user may make now. */
    allowedKinds: z.array(z.string()),
    timeline: trail,
  }),
});
export type PolicyDetail = z.output<typeof queryPolicyDetail.output>;

import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fenOut,
  id,
  idOut,
  instant,
  instantOut,
  several,
  text,
  textOrNull,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import {
  endorsementKinds,
  genders,
  idTypes,
  insuredStates,
  realNameStates,
  relations,
  sliceStates,
  useStates,
  useTypes,
} from '../dictionaries.ts';
import { policyPermissions as may } from '../permissions.ts';
import { policyService } from './policies.ts';

export const insuredRow = z.strictObject({
  id: idOut,
  policyId: idOut,
  policyNo: field('保单号', z.string(), { width: 160 }),
  /** Of an enterprise's line alone. */
  enterpriseName: field('企业', textOrNull, { width: 150 }),
  name: field('姓名', z.string(), { width: 100 }),
  relation: field('关系', relations.schema, { width: 80 }),
  mainName: field('主被保人', textOrNull, { width: 100 }),
  idType: field('证件类型', idTypes.schema, { width: 90 }),
  idNo: field('证件号', textOrNull, { width: 170, mask: 'idNo' }),
  gender: field('性别', genders.schema, { width: 70 }),
  birthDate: field('出生日期', dayOut, { width: 110 }),
  mobile: field('手机号', textOrNull, { width: 120, mask: 'mobile' }),
  employeeNo: field('工号', textOrNull, { width: 90 }),
  department: field('部门', textOrNull, { width: 110 }),
  planCode: field('计划', textOrNull, { width: 90 }),
  coverageStart: field('生效日', z.nullable(dayOut), { width: 110 }),
  coverageEnd: field('终止日', z.nullable(dayOut), { width: 110 }),
  annualPremiumFen: field('年保费', z.nullable(fenOut), { width: 110 }),
  state: field('状态', insuredStates.schema, { width: 90 }),
  realNameState: field('实名', realNameStates.schema, { width: 80 }),
});
export type InsuredRow = z.output<typeof insuredRow>;

export const queryInsuredPersonList = policyService.list({
  operation: 'queryInsuredPersonList',
  label: '查询被保人',
  access: may['insured.view'],
  secrets: ['idNo', 'mobile'],
  filter: {
    policyId: field('保单', z.optional(id)),
    policyNo: z.optional(wholeText('保单号', 40)),
    name: z.optional(personName('姓名', 50)),
    idNo: z.optional(text('证件号', 30)),
    mobile: z.optional(text('手机号', 11)),
    employeeNo: z.optional(wholeText('工号', 40)),
    planCode: z.optional(text('计划', 24)),
    relation: field('关系', z.optional(several(relations.schema))),
    state: field('状态', z.optional(several(insuredStates.schema))),
    /** The cover of this day, as the system knew it at that time. */
    asOfDay: field('某日保障', z.optional(day)),
    asOfTime: field('当时系统记录', z.optional(instant)),
  },
  output: insuredRow,
});
export const exportInsuredPerson = exportOf(queryInsuredPersonList, {
  operation: 'exportInsuredPerson',
  label: '导出被保人',
  access: may['policy.export'],
});

const slice = z.strictObject({
  id: idOut,
  planCode: z.string(),
  coverageStart: dayOut,
  coverageEnd: dayOut,
  annualPremiumFen: fenOut,
  state: sliceStates.schema,
  endorsementId: idOut,
  endorsementNo: z.string(),
  kind: endorsementKinds.schema,
  visibleAt: instantOut,
  undoneAt: z.nullable(instantOut),
  replacedBy: textOrNull,
});
export const queryInsuredPersonDetail = policyService.read({
  operation: 'queryInsuredPersonDetail',
  label: '查看被保人',
  access: may['insured.view'],
  input: { insuredItemId: field('被保人', id) },
  output: z.strictObject({
    ...insuredRow.shape,
    mainInsuredItemId: z.nullable(idOut),
    productName: z.string(),
    policyStart: dayOut,
    policyEnd: dayOut,
    adcode: field('地区', textOrNull),
    hasSocial: field('有医保', z.boolean()),
    socialAdcode: field('参保地', textOrNull),
    preExistingIcd: field('既往症', z.array(z.string())),
    patientId: z.nullable(idOut),
    version: z.int(),
    slices: z.array(slice),
    uses: z.array(
      z.strictObject({
        id: idOut,
        refType: useTypes.schema,
        refNo: z.string(),
        state: useStates.schema,
        useFrom: dayOut,
        useTo: z.nullable(dayOut),
        claimedFen: fenOut,
        paidFen: fenOut,
      }),
    ),
    premiumLines: z.array(
      z.strictObject({
        id: idOut,
        premiumOrderNo: z.string(),
        from: dayOut,
        to: dayOut,
        amountFen: fenOut,
        calc: z.string(),
        state: z.string(),
      }),
    ),
  }),
});
export type InsuredDetail = z.output<typeof queryInsuredPersonDetail.output>;

export const revealFields = ['idNo', 'mobile'] as const;
export const revealInsuredField = policyService.act({
  operation: 'revealInsuredField',
  label: '查看被保人敏感信息明文',
  access: may['insured.reveal'],
  log: 'REVEAL',
  input: {
    insuredItemId: field('被保人', id),
    field: field('字段', z.enum(revealFields, '请选择要查看的字段')),
    reason: field('查看原因', z._default(z.string().check(z.trim(), z.maxLength(200, '查看原因最多200个字符')), '')),
  },
  output: z.strictObject({ value: textOrNull }),
});

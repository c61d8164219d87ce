import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOr,
  dayOut,
  fenOut,
  id,
  idOut,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { acted, maybe } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { endorsementKinds, genders, handKinds, holderTypes, idTypes, relations } from '../dictionaries.ts';
import { person, planCode } from '../persons.ts';
import { policyPermissions as may } from '../permissions.ts';
import { endorsementActions, endorsementMachine } from '../states.ts';
import { policyService } from './policies.ts';

const MOST_BY_HAND = 50;
const insuredItemIds = z
  .array(id)
  .check(z.minLength(1, '请选择被保人'), z.maxLength(MOST_BY_HAND, `一次最多${MOST_BY_HAND}人，更多请用清单导入`));

/** What changes, by the kind of the endorsement; what a kind does not need is left out. */
export const changeFields = {
  insuredItemIds: field('被保人', z.optional(insuredItemIds)),
  person: field('被保人信息', z.optional(person)),
  planCode: field('计划', z.optional(planCode)),
  newEnd: field('新终保日期', z.optional(day)),
  holder: field(
    '投保人',
    z.optional(
      z.strictObject({
        holderType: field('投保人类型', holderTypes.schema),
        holderName: personName('投保人名称', 60, 1),
        holderIdNo: field('投保人证件号', maybe(text('投保人证件号', 30))),
        holderContact: field('投保人联系电话', maybe(text('投保人联系电话', 20))),
      }),
    ),
  ),
};
const endorsementFields = {
  kind: field('批单类型', z.enum(handKinds, '请选择批单类型')),
  /** First day of a new state; of 减员 and 退保 the last covered day. */
  effectiveOn: field('生效日期', dayOr('请选择生效日期')),
  reason: field(
    '批改原因',
    z.string('请填写批改原因').check(z.trim(), z.minLength(2, '请填写批改原因'), z.maxLength(500, '批改原因最多500个字符')),
  ),
  after: field('批改内容', z._default(z.strictObject(changeFields), {})),
  insurerEndorsementNo: optionalText('保司批单号', 40),
  fileIds: field('附件', z._default(z.array(id).check(z.maxLength(10, '最多10个附件')), [])),
};

export const difference = z.strictObject({ label: z.string(), before: z.string(), after: z.string() });
const premiumLine = z.strictObject({
  name: z.string(),
  planCode: z.string(),
  from: dayOut,
  to: dayOut,
  days: z.int(),
  feeFen: fenOut,
  amountFen: fenOut,
  calc: z.string(),
});
/** What an endorsement touches, computed before it is confirmed. */
const impact = z.strictObject({
  persons: z.int(),
  premiumDeltaFen: fenOut,
  backdatedDays: z.int(),
  needsOpinion: z.boolean(),
  contracts: z.array(z.strictObject({ refNo: z.string(), name: z.string() })),
  openClaims: z.array(z.strictObject({ refNo: z.string(), name: z.string() })),
  differences: z.array(difference),
  lines: z.array(premiumLine),
});
export type EndorsementImpact = z.output<typeof impact>;

const endorsementRow = z.strictObject({
  id: idOut,
  endorsementNo: field('批单号', z.string(), { width: 160 }),
  policyId: idOut,
  policyNo: field('保单号', z.string(), { width: 160 }),
  seq: field('序号', z.nullable(z.int()), { width: 60 }),
  kind: field('批单类型', endorsementKinds.schema, { width: 100 }),
  effectiveOn: field('生效日期', dayOut, { width: 110 }),
  summary: field('批改内容', z.string(), { width: 260 }),
  differences: z.array(difference),
  reason: field('批改原因', z.string(), { width: 180 }),
  premiumDeltaFen: field('保费变化', fenOut, { width: 110 }),
  batchNo: field('批次号', textOrNull, { width: 160 }),
  insurerEndorsementNo: field('保司批单号', z.string(), { width: 130 }),
  state: field('状态', endorsementMachine.dictionary.schema, { width: 90 }),
  maker: field('经办人', z.string(), { width: 90 }),
  makerId: z.nullable(idOut),
  checker: field('审核人', textOrNull, { width: 90 }),
  visibleAt: field('生效时间', z.nullable(instantOut)),
  undoneAt: field('撤销时间', z.nullable(instantOut)),
  createdAt: field('创建时间', instantOut),
  fileIds: z.array(idOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type EndorsementRow = z.output<typeof endorsementRow>;

export const queryEndorsementList = policyService.list({
  operation: 'queryEndorsementList',
  label: '查询批单',
  access: may['policy.view'],
  filter: {
    ...sortedBy('endorsementNo', 'effectiveOn'),
    policyId: field('保单', z.optional(id)),
    policyNo: z.optional(wholeText('保单号', 40)),
    endorsementNo: z.optional(wholeText('批单号', 20)),
    kind: field('批单类型', z.optional(several(endorsementKinds.schema))),
    state: field('状态', z.optional(several(endorsementMachine.dictionary.schema))),
    effectiveFrom: field('生效日期起', z.optional(day)),
    effectiveTo: field('生效日期止', z.optional(day)),
  },
  output: endorsementRow,
});
export const exportEndorsement = exportOf(queryEndorsementList, {
  operation: 'exportEndorsement',
  label: '导出批单',
  access: may['policy.export'],
});

/**
 * What was entered of an endorsement that is not handed in, for the form that made it: numbers masked, as they stay when they are
 * left out.
 */
const draft = z.strictObject({
  persons: z.array(z.strictObject({ id: idOut, name: z.string() })),
  planCode: textOrNull,
  newEnd: z.nullable(dayOut),
  person: z.nullable(
    z.strictObject({
      name: field('姓名', z.string()),
      idType: field('证件类型', idTypes.schema),
      idNo: field('证件号', textOrNull, { mask: 'idNo' }),
      gender: field('性别', genders.schema),
      birthDate: field('出生日期', dayOut),
      mobile: field('手机号', textOrNull, { mask: 'mobile' }),
      employeeNo: field('工号', textOrNull),
      department: field('部门', textOrNull),
      adcode: textOrNull,
      hasSocial: field('有医保', z.boolean()),
      socialAdcode: textOrNull,
      relation: field('与主被保人关系', relations.schema),
      mainInsuredItemId: z.nullable(idOut),
      preExistingIcd: field('既往症', z.array(z.string())),
    }),
  ),
  holder: z.nullable(
    z.strictObject({
      holderType: field('投保人类型', holderTypes.schema),
      holderName: field('投保人名称', z.string()),
      holderIdNo: field('投保人证件号', textOrNull),
      holderContact: field('投保人联系电话', textOrNull),
    }),
  ),
});
export type EndorsementDraft = z.output<typeof draft>;
export const queryEndorsementDetail = policyService.read({
  operation: 'queryEndorsementDetail',
  label: '查看批单',
  access: may['policy.view'],
  input: { endorsementId: field('批单', id) },
  output: z.strictObject({
    ...endorsementRow.shape,
    /** For whoever may go on with it. */
    draft: z.nullable(draft),
    timeline: trail,
  }),
});
export type EndorsementDetail = z.output<typeof queryEndorsementDetail.output>;

const secrets = ['after'] as const;
/** Taking a policy back from its beginning is a right of its own. */
const byKind = access.byAction('kind', { CANCEL: may['policy.cancel'] }, may['endorse.make']);
export const previewEndorsement = policyService.read({
  operation: 'previewEndorsement',
  label: '试算批单',
  access: byKind,
  secrets,
  input: {
    policyId: field('保单', id),
    /** The draft that is gone on with: its numbers stand for those that are left out. */
    endorsementId: field('批单', z.optional(id)),
    ...endorsementFields,
    reason: optionalText('批改原因', 500),
  },
  output: impact,
});
const made = z.strictObject({ ...acted(endorsementMachine.dictionary.schema).shape, endorsementNo: z.string(), impact });
export const addEndorsement = policyService.act({
  operation: 'addEndorsement',
  label: '新增批单',
  access: byKind,
  secrets,
  input: {
    policyId: field('保单', id),
    policyVersion: field('版本号', z.optional(version)),
    ...endorsementFields,
    submit: field('直接提交', z._default(z.boolean(), true)),
  },
  output: made,
});
export const modifyEndorsement = policyService.act({
  operation: 'modifyEndorsement',
  label: '修改批单',
  access: byKind,
  secrets,
  input: { id, version, ...endorsementFields, submit: field('直接提交', z._default(z.boolean(), false)) },
  output: made,
});
export const auditEndorsement = policyService.act({
  operation: 'auditEndorsement',
  label: '处理批单',
  access: access.owner(may['endorse.make'], may['policy.cancel'], may['endorse.audit'], may['endorse.undo']),
  input: { id, version, action: field('操作', z.enum(endorsementActions, '请选择操作')), opinion: optionalText('意见', 500) },
  output: z.strictObject({ ...acted(endorsementMachine.dictionary.schema).shape, premiumOrderNo: textOrNull }),
});

import * as z from 'zod/mini';
import { between, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  flag,
  id,
  idOut,
  instantOut,
  mobileText,
  optionalText,
  personName,
  several,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService, DELETED } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { enrolmentErrors } from '../errors.ts';
import { markMachine, marksWithEvidence, markTypes, type MarkType } from '../markStates.ts';
import { applyPermissions, markPermissions as may } from '../permissions.ts';
import { certificateFault, tidyCertificate } from '../rules/certificate.ts';

const service = declareService('HmoService', 'product');
const view = may['specialUser.view'];
const edit = may['specialUser.edit'];

const numbersMasked = {
  mobileMasked: field('手机号', textOrNull, { width: 120 }),
  idNoMasked: field('证件号', textOrNull, { width: 170 }),
};
const markRow = z.strictObject({
  id: idOut,
  name: field('姓名', z.string(), { width: 90 }),
  ...numbersMasked,
  markType: field('标记', markTypes.schema, { width: 90 }),
  productNames: field('适用产品', z.array(z.string()), {
    width: 180,
    text: (names) => (names.length === 0 ? '全部HMO产品' : names.join('、')),
  }),
  startDate: field('开始日期', dayOut, { width: 105 }),
  endDate: field('结束日期', dayOut, { width: 105 }),
  reason: field('原因', z.string(), { width: 180 }),
  state: field('状态', markMachine.dictionary.schema, { width: 90 }),
  makerName: field('创建人', z.string(), { width: 90 }),
  checkerName: field('审批人', textOrNull, { width: 90 }),
  hits: field('命中次数', z.int(), { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  /** Whether the caller made it. */
  mine: z.boolean(),
  allowedActions: actionsOf(markMachine),
});
export type MarkRow = z.output<typeof markRow>;

const mobile = mobileText('手机号格式不正确');
const idNo = field(
  '证件号',
  z.string().check(
    z.maxLength(30, { error: '证件号最多30个字符', abort: true }),
    z.overwrite(tidyCertificate),
    z.refine((value) => certificateFault(value) === null, { error: ({ input }) => certificateFault(String(input)) ?? '证件号格式不正确' }),
  ),
  { mask: 'idNo', example: '110101199003070011' },
);
const mobileField = field('手机号', mobile, { mask: 'mobile', example: '13800138000' });

export const querySpecialUserList = service.list({
  operation: 'querySpecialUserList',
  label: '查询特殊用户标记',
  access: view,
  filter: {
    name: z.optional(text('姓名', 30)),
    mobile: field('手机号', z.optional(mobile), { example: '完整手机号' }),
    idNo: field('证件号', z.optional(idNo), { example: '完整证件号' }),
    markType: field('标记类型', z.optional(several(markTypes.schema))),
    productId: field('适用产品', z.optional(id)),
    state: field('状态', z.optional(several(markMachine.dictionary.schema))),
    validOn: field('有效日期', z.optional(day)),
    /** What waits for the caller's decision: others made it. */
    toDecide: field('待我审批', z.optional(flag)),
  },
  secrets: ['mobile', 'idNo'],
  output: markRow,
});
export const exportSpecialUserList = exportOf(querySpecialUserList, {
  operation: 'exportSpecialUserList',
  label: '导出特殊用户标记',
  access: may['specialUser.export'],
});

/** A mark of the same person, in short. */
const otherMark = z.strictObject({
  id: idOut,
  markType: field('标记', markTypes.schema),
  productNames: field('适用产品', z.array(z.string()), { text: (names) => (names.length === 0 ? '全部HMO产品' : names.join('、')) }),
  startDate: field('开始日期', dayOut),
  endDate: field('结束日期', dayOut),
  reason: field('原因', z.string()),
  state: field('状态', markMachine.dictionary.schema),
  makerName: field('创建人', z.string()),
  checkerName: field('审批人', textOrNull),
});
export type OtherMark = z.output<typeof otherMark>;
export const querySpecialUserDetail = service.read({
  operation: 'querySpecialUserDetail',
  label: '查看特殊用户标记',
  access: view,
  input: { id },
  output: z.strictObject({
    mark: markRow,
    productIds: z.array(idOut),
    evidenceFileIds: z.array(idOut),
    opinion: field('审批意见', textOrNull),
    replacesId: z.nullable(idOut),
    /** Edited while in force: the one that waits to follow it. */
    successorId: z.nullable(idOut),
    others: z.array(otherMark),
    trail,
  }),
});

const facts = {
  name: personName('姓名', 30, 1),
  mobile: z.optional(mobileField),
  idNo: z.optional(idNo),
  markType: field('标记类型', markTypes.schema),
  productIds: field('适用产品', z._default(z.array(id).check(z.maxLength(50, '适用产品最多选择50个')), [])),
  startDate: field('开始日期', day, { example: '2026-12-01' }),
  endDate: field('结束日期', day, { example: '2027-11-30' }),
  reason: text('原因', 200, 1),
  evidenceFileIds: field('佐证附件', z._default(z.array(id).check(z.maxLength(5, '佐证附件最多5个文件')), [])),
};
interface Dates {
  startDate: string;
  endDate: string;
}
/** The day on which two years from a day are over. */
const twoYearsOn = (from: string): string => `${Number(from.slice(0, 4)) + 2}${from.slice(4)}`;
export const isWithinTwoYears = ({ startDate, endDate }: Dates): boolean => endDate < twoYearsOn(startDate);
export const TOO_LONG = '有效期不能超过2年';
export const NO_EVIDENCE = '禁止入组、免服务费的标记须上传佐证附件';
const sound = [
  ordered('startDate', 'endDate', enrolmentErrors.END_BEFORE_START),
  between<Dates>(['startDate', 'endDate'], isWithinTwoYears, TOO_LONG),
  between<{ markType: MarkType; evidenceFileIds: readonly string[] }>(
    ['markType', 'evidenceFileIds'],
    ({ markType, evidenceFileIds }) => !marksWithEvidence.includes(markType) || evidenceFileIds.length > 0,
    NO_EVIDENCE,
  ),
] as const;
const answer = acted(markMachine.dictionary.schema);
export const addSpecialUser = service.act({
  operation: 'addSpecialUser',
  label: '新增特殊用户标记',
  access: edit,
  ...ADDED,
  secrets: ['mobile', 'idNo'],
  input: z.strictObject(facts).check(
    ...sound,
    between<{ mobile?: string | undefined; idNo?: string | undefined }>(
      ['mobile', 'idNo'],
      (given) => Boolean(given.mobile ?? given.idNo),
      enrolmentErrors.NO_IDENTITY,
    ),
  ),
  output: answer,
});
/** Numbers that are left out stay. Of a mark in force a successor is made, which another person passes. */
export const modifySpecialUser = service.act({
  operation: 'modifySpecialUser',
  label: '编辑特殊用户标记',
  access: edit,
  ...CHANGED,
  secrets: ['mobile', 'idNo'],
  input: z.strictObject({ id, version, ...facts }).check(...sound),
  output: answer,
});
export const auditSpecialUser = service.act({
  operation: 'auditSpecialUser',
  label: '审批特殊用户标记',
  access: may['specialUser.audit'],
  input: {
    id,
    version,
    action: field('操作', z.enum(['approve', 'reject', 'revoke'], '操作不正确')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const delSpecialUser = service.act({
  operation: 'delSpecialUser',
  label: '删除特殊用户标记',
  access: edit,
  ...DELETED,
  input: { id, version },
  output: z.strictObject({ id: idOut }),
});
/** Marks of the person that a form is about, before it is saved. */
export const querySpecialUserOverlap = service.read({
  operation: 'querySpecialUserOverlap',
  label: '查询重叠的特殊用户标记',
  access: edit,
  secrets: ['mobile', 'idNo'],
  input: {
    /** The mark that is edited: neither it nor the one it follows overlaps. */
    id: field('标记', z.optional(id)),
    mobile: z.optional(mobileField),
    idNo: z.optional(idNo),
    markType: field('标记类型', markTypes.schema),
    startDate: field('开始日期', day),
    endDate: field('结束日期', day),
  },
  output: z.array(otherMark),
});

export const sensitiveMarkFields = ['mobile', 'idNo'] as const;
export const revealSpecialUser = service.reveal({
  operation: 'revealSpecialUser',
  label: '查看特殊用户敏感信息明文',
  access: applyPermissions['apply.reveal'],
  input: { field: field('字段', z.enum(sensitiveMarkFields, '字段不正确')) },
});

export const MARK_IMPORTER = 'enrolment.specialUser';
export const importSpecialUser = service.imports({ operation: 'importSpecialUser', label: '导入特殊用户标记', access: edit });

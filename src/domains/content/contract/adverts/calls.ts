import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, flag, id, idOut, optionalText, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { maybe } from '../fields.ts';
import { advertPermissions as may } from '../delivery/permissions.ts';
import { advertMachine } from '../delivery/states.ts';
import { adjustFacts, deliveryFacts, deliveryFilters, deliveryLabels, deliveryRow, saved } from '../delivery/shape.ts';
import { deliveryActions } from '../delivery/states.ts';
import { markPermissions } from '../marks/permissions.ts';
import { adClasses, auditAnswers, auditPoints, budgetTypes, sponsorTypes } from './dictionaries.ts';

const service = declareService('AdvertiseService');
const mayView = markPermissions['content.view'];
const mayEdit = may['ad.edit'];
const checksOut = z.record(z.string(), auditAnswers.schema);

const row = z.strictObject({
  ...deliveryRow,
  allowedActions: actionsOf(advertMachine),
  adNo: field('编号', z.string(), { width: 150 }),
  adName: field('名称', z.string(), { width: 180 }),
  sponsorType: field('广告主类型', sponsorTypes.schema, { width: 100 }),
  sponsorId: z.nullable(idOut),
  sponsorName: field('广告主', z.string(), { width: 150 }),
  adClass: field('类别', adClasses.schema, { width: 90 }),
  approvalNo: field('批准文号', z.string(), { width: 200 }),
  approvalUntil: field('文号有效期', z.nullable(dayOut), { width: 110 }),
  approvalFileId: z.nullable(idOut),
  disclaimer: field('免责声明', z.string(), { width: 180 }),
  capPerPersonDay: field('每人每日上限', z.int(), { width: 110 }),
  capPerPersonTotal: field('每人累计上限', z.nullable(z.int()), { width: 110 }),
  closable: field('可关闭', z.boolean(), { width: 80 }),
  showSeconds: field('展示秒数', z.nullable(z.int()), { width: 90 }),
  budgetType: field('预算类型', budgetTypes.schema, { width: 90 }),
  budgetCount: field('预算数量', z.nullable(z.int()), { width: 100 }),
  /** Of the budget, since it began. */
  spent: field('已用预算', z.int(), { width: 90 }),
  contractRef: field('合同号', z.string(), { width: 140 }),
  checks: checksOut,
});
export type AdvertRow = z.output<typeof row>;

export const queryAdvertiseList = service.list({
  operation: 'queryAdvertiseList',
  label: '查询广告',
  access: mayView,
  filter: z.strictObject({
    ...sortedBy('adNo', 'startAt', 'endAt', 'priority', 'approvalUntil', 'budgetCount', 'impressions', 'clicks'),
    ...deliveryFilters,
    adNo: z.optional(wholeText('广告编号', 20)),
    adName: z.optional(text('名称', 30)),
    sponsorName: z.optional(text('广告主', 100)),
    sponsorType: field('广告主类型', z.optional(several(sponsorTypes.schema))),
    adClass: field('类别', z.optional(several(adClasses.schema))),
    /** Approval that ends within 30 days, or has ended. */
    approvalSoon: field('文号30天内到期', z.optional(flag)),
    approvalUntilTo: field('批准文号到期日止', z.optional(day)),
  }),
  output: row,
});
export const exportAdvertiseList = exportOf(queryAdvertiseList, {
  operation: 'exportAdvertiseList',
  label: '导出广告',
  access: markPermissions['content.export'],
});

export const queryAdvertiseDetail = service.read({
  operation: 'queryAdvertiseDetail',
  label: '查询广告详情',
  access: mayView,
  input: { id },
  output: z.strictObject({
    advert: row,
    imageUrl: z.nullable(z.string()),
    approvalFile: z.nullable(
      z.strictObject({
        fileId: idOut,
        fileName: z.string(),
        detectedType: z.nullable(z.string()),
        size: z.nullable(z.number()),
        pageCount: z.nullable(z.int()),
      }),
    ),
    timeline: trail,
  }),
});

const capDay = field(
  '每人每日上限',
  z._default(z.int('每人每日上限须为整数').check(z.minimum(1, '每人每日上限至少1次'), z.maximum(20, '每人每日上限最多20次')), 3),
);
const capTotal = maybe(
  '每人累计上限',
  z.int('每人累计上限须为整数').check(z.minimum(1, '每人累计上限至少1次'), z.maximum(1000, '每人累计上限最多1000次')),
);

const facts = {
  adName: text('名称', 30, 1),
  sponsorType: field('广告主类型', sponsorTypes.schema),
  /** Of a company whose kind is registered; its name is its record's then. */
  sponsorId: maybe('广告主', id),
  sponsorName: text('广告主', 100, 1),
  adClass: field('类别', adClasses.schema),
  approvalNo: optionalText('批准文号', 60),
  approvalUntil: maybe('文号有效期', day),
  approvalFileId: maybe('批准文件', id),
  disclaimer: optionalText('免责声明', 60),
  capPerPersonDay: capDay,
  capPerPersonTotal: capTotal,
  closable: field('可关闭', z._default(flag, true)),
  showSeconds: maybe('展示秒数', z.int('展示秒数须为整数').check(z.minimum(3, '展示秒数至少3秒'), z.maximum(5, '展示秒数最多5秒'))),
  budgetType: field('预算类型', z._default(budgetTypes.schema, 'NONE')),
  budgetCount: maybe(
    '预算数量',
    z.int('预算数量须为整数').check(z.minimum(1, '预算数量至少为1'), z.maximum(1_000_000_000, '预算数量过大')),
  ),
  contractRef: optionalText('合同号', 40),
  ...deliveryFacts,
};
export const advertLabels = {
  ...deliveryLabels,
  adName: '名称',
  sponsorType: '广告主类型',
  sponsorName: '广告主',
  adClass: '类别',
  approvalNo: '批准文号',
  approvalUntil: '文号有效期',
  approvalFileId: '批准文件',
  disclaimer: '免责声明',
  capPerPersonDay: '每人每日上限',
  capPerPersonTotal: '每人累计上限',
  closable: '可关闭',
  showSeconds: '展示秒数',
  budgetType: '预算类型',
  budgetCount: '预算数量',
  contractRef: '合同号',
};

export const addAdvertise = service.act({
  operation: 'addAdvertise',
  label: '新增广告',
  access: mayEdit,
  message: '添加成功!',
  input: facts,
  output: saved,
});
export const modifyAdvertise = service.act({
  operation: 'modifyAdvertise',
  label: '修改广告',
  access: mayEdit,
  input: { id, version, ...facts },
  output: saved,
});
export const delAdvertise = service.act({
  operation: 'delAdvertise',
  label: '删除广告',
  access: mayEdit,
  input: { id, version },
  output: z.strictObject({}),
});

const answer = (label: string) => field(label, z.optional(auditAnswers.schema));
export const auditAdvertise = service.act({
  operation: 'auditAdvertise',
  label: '提交、审核、下线广告',
  access: access.byAction('action', { approve: may['ad.audit'], reject: may['ad.audit'], takeDown: may['ad.audit'] }, may['ad.edit']),
  message: '操作成功!',
  input: {
    id,
    version,
    action: field('操作', z.enum(deliveryActions, '操作不正确')),
    opinion: z.optional(text('意见', 500)),
    /** Answers to what an auditor looks at; a pass answers all. */
    checks: field(
      '审核要点',
      z.optional(
        z.strictObject({
          AD_WORD: answer(auditPoints.label('AD_WORD')),
          APPROVAL_SAME: answer(auditPoints.label('APPROVAL_SAME')),
          NO_ABSOLUTE: answer(auditPoints.label('NO_ABSOLUTE')),
          NO_PATIENT: answer(auditPoints.label('NO_PATIENT')),
          LANDING_SAME: answer(auditPoints.label('LANDING_SAME')),
        }),
      ),
    ),
  },
  output: actionAnswer,
});
export const adjustAdvertise = service.act({
  operation: 'adjustAdvertise',
  label: '调整广告投放',
  access: mayEdit,
  input: { id, version, ...adjustFacts, capPerPersonDay: capDay, capPerPersonTotal: capTotal },
  output: saved,
});
/** The approval's number is not copied. */
export const copyAdvertise = service.act({
  operation: 'copyAdvertise',
  label: '复制广告',
  access: mayEdit,
  message: '添加成功!',
  input: { id },
  output: saved,
});

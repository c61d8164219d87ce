import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { dayOut, flag, id, idOut, instantOut, opinion, several, text, textOrNull, version, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { seriousnessLevels } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { adverseMachine } from '../states.ts';
import { acted, declareService } from './declare.ts';

const service = declareService('AdverseReportService');
const state = adverseMachine.dictionary.schema;

const adverseFilter = {
  reportNo: z.optional(wholeText('报告编号', 30)),
  medicine: z.optional(text('药品', 60)),
  companyId: field('药企', z.optional(id)),
  seriousness: field('严重程度', z.optional(several(seriousnessLevels.schema))),
  state: z.optional(several(state)),
  overdue: field('已超期', z.optional(flag)),
};
const adverseRow = z.strictObject({
  id: idOut,
  reportNo: field('报告编号', z.string(), { width: 160 }),
  medicineId: idOut,
  genericName: field('药品', z.string(), { width: 192 }),
  companyId: textOrNull,
  companyName: field('上市许可持有人', textOrNull, { width: 240 }),
  patientId: idOut,
  sourceTaskId: z.string(),
  seriousness: field('严重程度', seriousnessLevels.schema),
  isNew: field('新的不良反应', z.boolean()),
  /** Masked: medical data. */
  description: field('描述', z.string(), { width: 320, mask: 'medical' }),
  occurredOn: field('发生日期', z.nullable(dayOut)),
  receivedAt: field('收到时间', instantOut),
  dueAt: field('转报期限', instantOut),
  overdue: z.boolean(),
  forwardedAt: field('转报时间', z.nullable(instantOut)),
  forwardFileId: textOrNull,
  companyReceiptNo: field('回执编号', textOrNull),
  invalidProposed: z.boolean(),
  state: field('状态', state),
  version: z.int(),
});
export type AdverseRow = z.output<typeof adverseRow>;

export const queryAdverseReportList = service.list({
  operation: 'queryAdverseReportList',
  label: '查询不良反应报告',
  access: may['pv.view'],
  filter: { ...adverseFilter, ...sortedBy('reportNo', 'occurredOn', 'receivedAt', 'dueAt', 'forwardedAt') },
  output: adverseRow,
});
export const queryAdverseReportTrail = service.read({
  operation: 'queryAdverseReportTrail',
  label: '查询不良反应轨迹',
  access: may['pv.view'],
  input: { id },
  output: trail,
});
export const forwardAdverseReport = service.act({
  operation: 'forwardAdverseReport',
  label: '转报不良反应',
  access: may['pv.edit'],
  message: '转报成功',
  input: { id, version },
  output: acted(state),
});
export const closeAdverseReport = service.act({
  operation: 'closeAdverseReport',
  label: '登记不良反应回执',
  access: may['pv.edit'],
  message: '登记成功',
  input: { id, version, receiptNo: text('回执编号', 60, 1) },
  output: acted(state),
});
/** Takes two persons: the first one proposes, another one decides. */
export const invalidAdverseReport = service.act({
  operation: 'invalidAdverseReport',
  label: '判定不良反应无效',
  access: may['pv.edit'],
  message: '提交成功',
  input: { id, version, opinion },
  output: acted(state),
});
export const exportAdverseReportList = exportOf(queryAdverseReportList, {
  operation: 'exportAdverseReportList',
  label: '导出不良反应报告',
  access: may['pv.export'],
});
export const revealAdverseReport = service.reveal({
  operation: 'revealAdverseReport',
  label: '查看不良反应描述',
  access: may['sensitive.reveal'],
  input: {},
});

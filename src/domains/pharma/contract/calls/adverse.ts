import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
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

export const queryAdverseReportList = service.list(
  'queryAdverseReportList',
  '查询不良反应报告',
  may['pv.view'],
  { ...adverseFilter, ...sortedBy('reportNo', 'occurredOn', 'receivedAt', 'dueAt', 'forwardedAt') },
  adverseRow,
);
export const queryAdverseReportTrail = service.read('queryAdverseReportTrail', '查询不良反应轨迹', may['pv.view'], { id }, trail);
export const forwardAdverseReport = service.act('forwardAdverseReport', '转报不良反应', may['pv.edit'], { id, version }, acted(state), {
  message: '转报成功',
});
export const closeAdverseReport = service.act(
  'closeAdverseReport',
  '登记不良反应回执',
  may['pv.edit'],
  { id, version, receiptNo: text('回执编号', 60, 1) },
  acted(state),
  { message: '登记成功' },
);
/** Takes two persons: the first one proposes, another one decides. */
export const invalidAdverseReport = service.act(
  'invalidAdverseReport',
  '判定不良反应无效',
  may['pv.edit'],
  { id, version, opinion },
  acted(state),
  { message: '提交成功' },
);
export const exportAdverseReportList = exportOf(queryAdverseReportList, {
  operation: 'exportAdverseReportList',
  label: '导出不良反应报告',
  access: access.permission(may['pv.export']),
});
export const revealAdverseReport = service.reveal('revealAdverseReport', '查看不良反应描述', may['sensitive.reveal'], {});

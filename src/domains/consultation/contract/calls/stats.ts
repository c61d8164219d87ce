import * as z from 'zod/mini';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { day, id, idOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';

const service = declareService('ConsultStatService');
const supervise = may['chat.supervise'];
const filters = {
  from: field('开始日期', day),
  to: field('结束日期', day),
  assistantId: field('医助', z.optional(id)),
  deskId: field('导诊台', z.optional(id)),
  groupBy: field('统计维度', z._default(z.enum(['day', 'assistant', 'desk'], '统计维度不正确'), 'day')),
};
const bp = z.nullable(z.int());
/** Seconds; rates in ten-thousandths, null where nothing was counted. */
const row = z.strictObject({
  key: z.string(),
  label: z.string(),
  assistantId: z.nullable(idOut),
  taken: z.int(),
  firstReplyMedianSec: z.nullable(z.int()),
  firstReplyP90Sec: z.nullable(z.int()),
  overSlaBp: bp,
  handleAverageSec: z.nullable(z.int()),
  transferBp: bp,
  ended: z.int(),
  goodRateBp: bp,
});
export type StatRow = z.output<typeof row>;
/** At most 92 days. */
export const queryConsultStat = service.read({
  operation: 'queryConsultStat',
  label: '查看接待数据',
  access: supervise,
  input: filters,
  output: z.array(row),
});
export const exportConsultStat = service.file({
  operation: 'exportConsultStat',
  label: '导出接待数据',
  method: 'GET',
  access: supervise,
  log: 'EXPORT',
  input: { ...filters, ...exportFields },
  output: exportQueued,
});

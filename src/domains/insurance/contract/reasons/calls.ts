import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, optionalText, text, version } from '#kernel/contract/fields.ts';
import { CHANGED } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { reasonPermissions as may } from '../permissions.ts';
import { productService } from '../products/options.ts';

export const reasonFacts = z.strictObject({
  label: text('名称', 40, 1),
  applicantText: text('对客说明', 200, 1),
  internalText: optionalText('内部备注', 200),
});

const reasonRow = z.strictObject({
  id: idOut,
  reasonCode: field('编码', z.string(), { width: 80 }),
  label: field('名称', z.string(), { width: 160 }),
  applicantText: field('对客说明', z.string(), { width: 380 }),
  internalText: field('内部备注', z.string(), { width: 280 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type ReasonRow = z.output<typeof reasonRow>;

export const queryReasonTextList = productService.list({
  operation: 'queryReasonTextList',
  label: '查询原因话术',
  access: may['reason.edit'],
  filter: { ...sortedBy('reasonCode', 'updatedAt'), keyword: z.optional(text('编码或话术', 40)) },
  output: reasonRow,
});
export const exportReasonText = exportOf(queryReasonTextList, {
  operation: 'exportReasonText',
  label: '导出原因话术',
  access: may['reason.edit'],
});
export const modifyReasonText = productService.act({
  operation: 'modifyReasonText',
  label: '修改原因话术',
  access: may['reason.edit'],
  ...CHANGED,
  input: { id, version, ...reasonFacts.shape },
  output: z.strictObject({ id: idOut, version: z.int() }),
});

import * as z from 'zod/mini';
import { flag, idOut, several, text } from './fields.ts';
import { field } from './field.ts';

/** Rows up to which an export is answered at once; above it becomes a task of the download centre. */
export const IMMEDIATE_EXPORT_ROWS = 5_000;
/** Rows above which an export is refused. */
export const MAX_EXPORT_ROWS = 2_000_000;

/** Characters of the filters' description. */
export const FILTER_TEXT_LENGTH = 500;

const page = z.strictObject({
  pageNo: field('页码', z.int('页码须为整数').check(z.minimum(1, '页码从1开始'), z.maximum(100_000, '页码最大为100000'))),
  pageSize: field('每页条数', z.int('每页条数须为整数').check(z.minimum(1, '每页至少1条'), z.maximum(999, '每页最多999条'))),
});

/** What a query parameter says; what is no JSON stays a text, which the schema behind refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Spread into the input of a list's export call, beside the list's filters (without paging). */
export const exportFields = {
  /** Keys of the chosen columns, in order; absent = all. */
  columns: field('导出列', z.optional(several(z.string().check(z.maxLength(60, '列名过长')), 200))),
  format: field('文件格式', z._default(z.enum(['XLSX', 'CSV'], '文件格式不正确'), 'XLSX')),
  /** Sensitive columns unmasked; needs the right and a reason. */
  plain: field('导出明文', z.optional(flag)),
  plainReason: z.optional(text('导出明文的原因', 200)),
  /** The filters in the words of the page, for the sheet 说明 and the download centre. */
  filterText: z.optional(text('筛选条件说明', FILTER_TEXT_LENGTH)),
  /** Only this page of the list; the export runs in the list's order. */
  page: field(
    '导出页',
    z.optional(z.union([page, z.pipe(z.string().check(z.maxLength(100, '导出页不正确')), z.pipe(z.transform(parsed), page))])),
  ),
};

const choice = new Set(Object.keys(exportFields));

/** The list's own filters in what an export call was sent, without the choice of columns and format. */
export const filtersOf = (params: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, unknown>).filter(([key, value]) => !choice.has(key) && value !== undefined),
  );

/** Output of an export call that became a task. */
export const exportQueued = z.strictObject({ exportTaskId: idOut, taskNo: z.string(), rowsTotal: z.int() });

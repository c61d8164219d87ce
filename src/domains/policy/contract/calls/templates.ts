import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, DELETED, declareService, maybe, nothing } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { dedupeKeys, leaveMeanings, listTargets } from '../batchDictionaries.ts';
import { listPermissions as may } from '../permissions.ts';
import { layout, templateColumn } from '../rules/template.ts';

export const listService = declareService('InsuredListService', 'product');

const templateRow = z.strictObject({
  id: idOut,
  insurerId: z.nullable(idOut),
  insurerName: field('保司/企业', z.string(), { width: 160 }),
  templateName: field('模板名称', z.string(), { width: 180 }),
  sheet: field('工作表', z.string(), { width: 120 }),
  headerRow: field('表头行', z.int(), { width: 80 }),
  columns: z.array(templateColumn),
  columnCount: field('列数', z.int(), { width: 70 }),
  leaveMeans: field('减员日期含义', leaveMeanings.schema, { width: 120 }),
  dedupeKey: field('人员识别', dedupeKeys.schema, { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type TemplateRow = z.output<typeof templateRow>;

export const queryTemplateList = listService.list({
  operation: 'queryTemplateList',
  label: '查询清单模板',
  access: may['template.edit'],
  filter: { ...sortedBy('updatedAt'), insurerName: z.optional(text('保司/企业', 60)), templateName: z.optional(text('模板名称', 40)) },
  output: templateRow,
});

/** What is entered of a template: of an insurer, of an employer without one, or of everybody. */
const templateFields = {
  insurerId: field('保司', maybe(id)),
  sponsorName: field('企业', maybe(text('企业', 60, 1))),
  templateName: text('模板名称', 40, 1),
  ...layout.shape,
};
const saved = z.strictObject({ id: idOut, templateName: z.string(), version: z.int() });
export const addTemplate = listService.act({
  operation: 'addTemplate',
  label: '新增清单模板',
  access: may['template.edit'],
  ...ADDED,
  input: templateFields,
  output: saved,
});
export const modifyTemplate = listService.act({
  operation: 'modifyTemplate',
  label: '修改清单模板',
  access: may['template.edit'],
  ...CHANGED,
  input: { id, version, templateName: templateFields.templateName, ...layout.shape },
  output: saved,
});
export const removeTemplate = listService.act({
  operation: 'removeTemplate',
  label: '删除清单模板',
  access: may['template.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});

export const MOST_TRIED = 20;
/** What a file looks like under a template; without one, under the template whose columns it has most of. */
export const testTemplate = listService.read({
  operation: 'testTemplate',
  label: '试读清单',
  access: may['template.edit'],
  input: {
    fileId: field('文件', id),
    templateId: field('模板', z.optional(id)),
    /** Of whose insurer the template is that the headers are compared with; absent: of any. */
    policyId: field('保单', z.optional(id)),
    layout: field('列设置', z.optional(layout)),
    /** The sheet that holds the list, whichever the template names. */
    sheet: z.optional(text('工作表', 40)),
  },
  output: z.strictObject({
    templateId: z.nullable(idOut),
    templateName: textOrNull,
    layout,
    /** Sheets of the workbook, of which one holds the list. */
    sheets: z.array(z.string()),
    headers: z.array(z.string()),
    /** Field of each header; null: none. */
    mapped: z.array(z.nullable(listTargets.schema)),
    missing: z.array(z.string()),
    /** Other sheets that have all which is missing. */
    elsewhere: z.array(z.string()),
    unknown: z.array(z.string()),
    /** The first rows as the sheet has them and what was understood of them. */
    rows: z.array(
      z.strictObject({
        rowNo: z.int(),
        cells: z.array(z.string()),
        faults: z.array(z.strictObject({ header: z.string(), message: z.string() })),
      }),
    ),
  }),
});
export type TriedTemplate = z.output<typeof testTemplate.output>;
export const downloadTemplate = listService.file({
  operation: 'downloadTemplate',
  label: '下载清单模板',
  method: 'GET',
  access: may['batch.view'],
  input: { templateId: field('模板', id) },
  output: nothing,
});

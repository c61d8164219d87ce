import { containsPattern } from '#kernel/server/database/search.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { requirePermission } from '#kernel/server/auth/requirePermission.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { elsewhere, from } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { ImportColumn, ImportRecord, Importer } from '#kernel/server/importing/importer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { faultSeverities, importRowActions } from '../../contract/dictionaries.ts';
import { queryImportTaskList, type queryImportRowList } from '../../contract/calls/imports.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { importerOf, presentImport, visibleTask, worksWith } from './importTasks.ts';
import { plannedOf, rawOf, VALUE_LENGTH } from './storedRows.ts';

/** One's own tasks, or everybody's for who may see them: all, or those of one kind that he works with. */
export const importTaskList = (kernel: Kernel) =>
  listOf(queryImportTaskList)
    .from(({ db, staff, filter: { mine = true, importerCode }, has }) => {
      const importer = kernel.registry.importers.find(({ code }) => code === importerCode);
      if (!mine && !worksWith(importer, { has })) requirePermission(has, filePermissions['task.viewAll']);
      const tasks = own(db).selectFrom('filesImportTask as t');
      return mine ? tasks.where('t.createdBy', '=', staff.userId) : tasks;
    })
    .with({
      where: {
        mine: elsewhere,
        importerCode: 't.importerCode',
        batchNo: (eb, batchNo) => eb('t.batchNo', 'like', containsPattern(batchNo)),
        state: 't.state',
        createdBy: (eb, name) => eb('t.createdName', 'like', containsPattern(name)),
        from: from('t.createdAt'),
        to: (eb, to) => eb('t.createdAt', '<', to),
      },
      id: 't.id',
      sorts: { batchNo: 't.batchNo', createdAt: 't.createdAt' },
      order: [['t.createdAt', 'desc']],
      select: (query) => query.selectAll('t'),
      present: (rows, ask) => rows.map((row) => presentImport(kernel, row, ask)),
    });

const MASKED = '****';

function shownValue(column: ImportColumn, record: ImportRecord): string {
  const value = record[column.key];
  if (value === null || value === undefined) return '';
  if (column.sensitive) return MASKED;
  if (column.type === 'money') return yuan(typeof value === 'boolean' ? 0 : value);
  if (column.type === 'bp') return `${Number(value) / 100}%`;
  if (column.type === 'dict') return column.dictionary?.options.find((option) => option.value === value)?.label ?? String(value);
  return String(value);
}

const shown = (importer: Importer, record: ImportRecord) =>
  Object.fromEntries(importer.columns.map((column) => [column.key, shownValue(column, record)]));

/**
 * Preview: rows with their faults and, for changes, what they replace. No `listOf`: the check has counted every kind of row, so nothing
 * is counted again.
 */
export async function listImportRows(kernel: Kernel, filter: CheckedInputOf<typeof queryImportRowList>, ctx: QueryContext) {
  const task = await visibleTask(kernel, ctx.db, filter.importTaskId, ctx);
  const importer = importerOf(kernel, task.importerCode);
  let query = own(ctx.db).selectFrom('filesImportRow').selectAll().where('taskId', '=', task.id);
  if (filter.action) query = query.where('action', 'in', filter.action);
  if (filter.hasError === true) query = query.where((eb) => eb.or([eb('action', '=', 'ERROR'), eb('hasWarning', '=', true)]));
  if (filter.hasError === false) query = query.where('action', '<>', 'ERROR');
  const page = await query.orderBy('rowNo').limit(filter.pageSize).offset(offsetOf(filter)).execute();
  const rowNos = page.map(({ rowNo }) => rowNo);
  const faults =
    rowNos.length === 0
      ? []
      : await own(ctx.db)
          .selectFrom('filesImportCellError')
          .selectAll()
          .where('taskId', '=', task.id)
          .where('rowNo', 'in', rowNos)
          .orderBy('id')
          .execute();
  const sensitive = importer.columns.filter((column) => column.sensitive).map(({ key }) => key);
  // What somebody typed himself is shown to him where it is wrong: he could not correct what he does not see.
  const typed = task.createdBy === ctx.staff.userId;
  return {
    rows: page.map((row) => {
      const planned = plannedOf(kernel, importer, row);
      const raw = rawOf(kernel, row);
      const own = faults.filter((fault) => fault.rowNo === row.rowNo);
      const wrong = new Set(typed ? own.map(({ columnKey }) => columnKey) : []);
      for (const key of sensitive) if (raw[key] && !wrong.has(key)) raw[key] = MASKED;
      return {
        rowNo: row.rowNo,
        action: importRowActions.schema.parse(row.action),
        raw,
        before: planned.before ? shown(importer, planned.before) : null,
        after: row.action === 'ERROR' ? null : shown(importer, planned.record),
        errors: own.map(({ columnKey, columnLetter, columnLabel, value, severity, message }) => ({
          columnKey,
          columnLetter,
          columnLabel,
          // Kept apart, under the key.
          value: sensitive.includes(columnKey) ? firstCharacters(raw[columnKey] ?? '', VALUE_LENGTH) : value,
          severity: faultSeverities.schema.parse(severity),
          message,
        })),
      };
    }),
    // The counts of the check are exact; a list of one action needs no further statement.
    total: totalOf(task, filter),
  };
}

function totalOf(
  task: { totalRows: number; errorRows: number; warnRows: number; okRows: number; newRows: number; changedRows: number; sameRows: number },
  filter: { action?: string[]; hasError?: boolean },
): number {
  const byAction: Record<string, number> = { NEW: task.newRows, CHANGE: task.changedRows, SAME: task.sameRows, ERROR: task.errorRows };
  if (filter.action) return filter.action.reduce((total, action) => total + (byAction[action] ?? 0), 0);
  if (filter.hasError === true) return task.errorRows + task.warnRows;
  return filter.hasError === false ? task.okRows : task.totalRows;
}

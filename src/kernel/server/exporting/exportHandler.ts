import { refuse, refuseField } from '../../contract/errors.ts';
import { IMMEDIATE_EXPORT_ROWS, MAX_EXPORT_ROWS } from '../../contract/exporting.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { ProcedureContext } from '../context.ts';
import { bufferOf } from '../documents/xlsxStream.ts';
import { FileAnswer } from '../fileAnswer.ts';
import { type Handler } from '../handler.ts';
import type { Kernel } from '../kernel.ts';
import { CONTENT_TYPES, exportName, renderExport } from './renderExport.ts';
import type { ExportChoice, ExportColumnFacts, ExportPage, ExportReading, ExportSource } from './source.ts';

/** Right to export sensitive columns unmasked (declared by the domain `files`). */
const PLAIN_EXPORT_PERMISSION = 'files.export.plain';
/** The right to what of a source is sensitive. */
export const plainPermissionOf = (source: Pick<ExportSource, 'plainPermission'>): string =>
  source.plainPermission ?? PLAIN_EXPORT_PERMISSION;
const IMMEDIATE_MS = 12_000;
const SHORTEST_REASON = 5;

type ExportKernel = {
  transactions: Pick<Kernel['transactions'], 'snapshot'>;
  ports: Pick<Kernel['ports'], 'exportTasks'>;
  log: Pick<Kernel['log'], 'error'>;
};

/** What a value that cannot be shown leaves in the log. */
export const unreadableTo =
  ({ log }: Pick<ExportKernel, 'log'>, source: ExportSource) =>
  (error: unknown, { key }: ExportColumnFacts) =>
    log.error({ error, export: source.call.name, column: key }, 'a value of an export cannot be shown');

interface Choice extends ExportChoice {
  format: 'XLSX' | 'CSV';
  page?: ExportPage;
}

class TooSlow extends Error {}

/** The chosen columns in the chosen order, as wide as the request says; all of them where nothing was chosen. */
export function chosenColumns(source: ExportSource, keys: readonly string[] | undefined, filter: unknown): readonly ExportColumnFacts[] {
  if (!keys || keys.length === 0) return source.columns;
  const widths = source.widths?.(filter);
  return keys.map((key) => {
    const column = source.columns.find((candidate) => candidate.key === key);
    if (!column) throw refuseField('columns', `没有可导出的列：${key}`);
    const width = widths?.get(key);
    return width === undefined ? column : { ...column, width };
  });
}

/** Rows that an export will have. @throws Refusal SCM02020 for none, SCM02021 for more than 2,000,000. */
export async function countRows(source: ExportSource, reading: ExportReading, page: ExportPage | undefined): Promise<number> {
  const found = await source.count(reading);
  const rows = page ? Math.max(0, Math.min(page.pageSize, found - (page.pageNo - 1) * page.pageSize)) : found;
  if (rows === 0) throw refuse(fileErrors.NOTHING_TO_EXPORT);
  if (rows > MAX_EXPORT_ROWS) throw refuse(fileErrors.TOO_MANY_ROWS);
  return rows;
}

/** @throws Refusal SCM90010 without the right, SCM02026 without a reason. */
function requirePlain(source: ExportSource, choice: Choice, ctx: Pick<ProcedureContext, 'requirePermission'>): void {
  if (!choice.plain) return;
  ctx.requirePermission(plainPermissionOf(source));
  if ((choice.plainReason ?? '').trim().length < SHORTEST_REASON) throw refuse(fileErrors.PLAIN_REASON);
}

/**
 * Implements a list's export call: up to 5,000 rows within 12 s are answered as a file, more become a task of the download centre, answered
 * as `{exportTaskId, taskNo, rowsTotal}`. The call is declared with shape `file`, kind `command`, log `EXPORT`, output `exportQueued`, and
 * `exportFields` in its input. `joinFeatures` makes it for every source among a feature's `exports`.
 * @throws Refusal SCM02020 nothing found, SCM02021 more than 2,000,000 rows, SCM02022 and SCM02027 of the task,
 * SCM02026 and SCM90010 for plain text.
 */
export function exportHandler(source: ExportSource, kernel: ExportKernel): Handler {
  if (source.call.kind !== 'command' || source.call.shape !== 'file') {
    throw new Error(`${source.call.name} must be a command of shape file`);
  }
  return {
    mode: 'procedure',
    call: source.call,
    async run(asked, ctx) {
      // The schema of every export call contains `exportFields`.
      const choice = { ...(asked as Choice), ...source.chosen?.(asked, ctx) };
      const input: unknown = choice;
      requirePlain(source, choice, ctx);
      const columns = chosenColumns(source, choice.columns, input);
      const plain = choice.plain ?? false;
      const { staff, now } = ctx;
      const outcome = await kernel.transactions.snapshot(async (db) => {
        const reading = { db, staff, now, filter: input };
        const rowsTotal = await countRows(source, reading, choice.page);
        if (rowsTotal > IMMEDIATE_EXPORT_ROWS) return { rowsTotal };
        const started = performance.now();
        const onProgress = () => {
          if (performance.now() - started > IMMEDIATE_MS) throw new TooSlow();
        };
        try {
          const body = await bufferOf(
            renderExport(
              {
                source,
                columns,
                format: choice.format,
                plain,
                rowsTotal,
                onProgress,
                onUnreadable: unreadableTo(kernel, source),
                ...(choice.page && { page: choice.page }),
              },
              reading,
            ),
          );
          return { rowsTotal, body };
        } catch (error) {
          if (error instanceof TooSlow) return { rowsTotal };
          throw error;
        }
      });
      if (outcome.body) {
        return new FileAnswer({
          name: exportName(source.title, now, choice.format),
          contentType: CONTENT_TYPES[choice.format],
          body: outcome.body,
          rowCount: outcome.rowsTotal,
        });
      }
      return ctx.transaction((writing) =>
        kernel.ports.exportTasks.request(
          writing,
          {
            source: source.call.name,
            title: source.title,
            routeKey: source.routeKey,
            params: input,
            columns: columns.map(({ key }) => key),
            format: choice.format,
            plain,
            ...(choice.plainReason ? { plainReason: choice.plainReason } : {}),
            rowsTotal: outcome.rowsTotal,
            staff,
          },
          now,
        ),
      );
    },
  };
}

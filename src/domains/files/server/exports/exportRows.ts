import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Scope, Tx } from '#kernel/server/context.ts';
import { exportFormats } from '../../contract/dictionaries.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import type { FilesExportTask } from '../tables.ts';

export type ExportRow = Selectable<FilesExportTask>;

// jsonb columns that this domain alone writes
export const paramsOf = (row: ExportRow) => row.params as Record<string, unknown>;
export const columnsOf = (row: ExportRow) => row.columns as string[];
export const scopeOf = (row: ExportRow) => row.scopeSnapshot as Scope;

/** Seconds that are left: (rowsTotal − rowsDone) × elapsed ÷ rowsDone. */
export function etaSeconds(row: Pick<ExportRow, 'state' | 'rowsTotal' | 'rowsDone' | 'startedAt'>, now: string): number | null {
  if (row.state !== 'RUNNING' || !row.rowsTotal || row.rowsDone === 0 || !row.startedAt) return null;
  const elapsed = Date.parse(now) - Date.parse(row.startedAt);
  return Math.ceil(((row.rowsTotal - row.rowsDone) * elapsed) / row.rowsDone / 1000);
}

/** Queued tasks before each of these ones; those that are not queued are left out. */
export async function queuePositions(db: Db | Tx, taskIds: readonly string[]): Promise<Map<string, number>> {
  if (taskIds.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('filesExportTask as t')
    .select([
      't.id',
      (eb) =>
        eb
          .selectFrom('filesExportTask as earlier')
          .select(sql<number>`count(*)::int`.as('n'))
          .where('earlier.state', '=', 'QUEUED')
          .where((on) =>
            on.or([
              on('earlier.queuedAt', '<', on.ref('t.queuedAt')),
              on.and([on('earlier.queuedAt', '=', on.ref('t.queuedAt')), on('earlier.id', '<', on.ref('t.id'))]),
            ]),
          )
          .as('before'),
    ])
    .where('t.id', 'in', taskIds)
    .where('t.state', '=', 'QUEUED')
    .execute();
  return new Map(rows.map((row) => [row.id, row.before ?? 0]));
}

/** What leaves of a task. */
export function presentExport(row: ExportRow, now: string, queuePosition: number | null = null) {
  return {
    taskId: row.id,
    taskNo: row.taskNo,
    name: row.name,
    source: row.source,
    sourceTitle: row.sourceTitle,
    routeKey: row.routeKey,
    params: paramsOf(row),
    filterText: row.filterText,
    format: exportFormats.schema.parse(row.format),
    plain: row.plain,
    plainReason: row.plainReason,
    state: row.state,
    progressBp: row.progressBp,
    rowsDone: row.rowsDone,
    rowsTotal: row.rowsTotal,
    queuePosition,
    etaSeconds: etaSeconds(row, now),
    rowCount: row.rowCount,
    fileSize: row.fileSize === null ? null : Number(row.fileSize),
    encrypted: row.passwordCipher !== null || row.passwordShownAt !== null,
    passwordShown: row.passwordShownAt !== null,
    retries: row.retries,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    traceId: row.traceId,
    downloadCount: row.downloadCount,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    createdName: row.createdName,
    roleName: row.roleName,
    finishedAt: row.finishedAt,
    expiresAt: row.expiresAt,
    version: row.version,
  };
}

type Asking = Pick<Context, 'staff' | 'has'>;

/**
 * The task for somebody who acts on it, locked until the end of the transaction.
 * @param others permission with which others than its owner may act; null = the owner alone
 * @throws Refusal SCM90040 for a missing task and for another's alike.
 */
export async function lockExport(tx: Tx, taskId: string, ctx: Asking, others: { code: string } | null): Promise<ExportRow> {
  const row = await own(tx).selectFrom('filesExportTask').selectAll().where('id', '=', taskId).forUpdate().executeTakeFirst();
  if (!row || (row.createdBy !== ctx.staff.userId && !(others && ctx.has(others)))) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

/** Who sees everybody's tasks. */
export const maySeeAll = (ctx: Asking) => ctx.has(filePermissions['task.viewAll']);

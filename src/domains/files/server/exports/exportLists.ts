import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { QueryContext } from '../../../../kernel/server/context.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { queryExportTaskList } from '../../contract/calls/exports.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { etaSeconds, maySeeAll, presentExport, queuePositions } from './exportRows.ts';

/** `%` and `_` of a search text stand for themselves. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

type Filter = CheckedInputOf<typeof queryExportTaskList>;

export async function listExports(filter: Filter, ctx: QueryContext) {
  const mine = filter.mine ?? true;
  if (!mine) ctx.demand(filePermissions['task.viewAll']);
  let query = own(ctx.db).selectFrom('filesExportTask').selectAll();
  if (mine) query = query.where('createdBy', '=', ctx.staff.userId);
  if (filter.name) {
    const text = containing(filter.name);
    query = query.where((eb) => eb.or([eb('taskNo', 'like', text), eb('name', 'like', text)]));
  }
  if (filter.source) query = query.where('sourceTitle', 'like', containing(filter.source));
  if (filter.state) query = query.where('state', 'in', filter.state);
  if (filter.createdBy) query = query.where('createdName', 'like', containing(filter.createdBy));
  if (filter.from) query = query.where('createdAt', '>=', filter.from);
  if (filter.to) query = query.where('createdAt', '<', filter.to);
  const total = await totalUpTo(ctx.db, query);
  const rows = await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(filter.pageSize).offset(offsetOf(filter)).execute();
  const positions = await queuePositions(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => presentExport(row, ctx.now, positions.get(row.id) ?? null)), total };
}

/** @throws Refusal SCM90040 when one of the tasks is not the caller's to see. */
export async function exportProgressOf(taskIds: readonly string[], ctx: QueryContext) {
  const rows = await own(ctx.db).selectFrom('filesExportTask').selectAll().where('id', 'in', taskIds).execute();
  if (rows.length < new Set(taskIds).size || rows.some((row) => row.createdBy !== ctx.staff.userId && !maySeeAll(ctx))) {
    throw refuse(platformErrors.NOT_FOUND);
  }
  const positions = await queuePositions(ctx.db, taskIds);
  return rows.map((row) => ({
    taskId: row.id,
    state: row.state,
    progressBp: row.progressBp,
    rowsDone: row.rowsDone,
    rowsTotal: row.rowsTotal,
    queuePosition: positions.get(row.id) ?? null,
    etaSeconds: etaSeconds(row, ctx.now),
  }));
}

import { containsPattern } from '#kernel/server/database/search.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { requirePermission } from '#kernel/server/auth/requirePermission.ts';
import { elsewhere, from } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryExportTaskList } from '../../contract/calls/exports.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { etaSeconds, maySeeAll, presentExport, queuePositions } from './exportRows.ts';

/** One's own tasks, or everybody's for who may see them. */
export const exportTaskList = listOf(queryExportTaskList)
  .from(({ db, staff, filter: { mine = true }, has }) => {
    if (!mine) requirePermission(has, filePermissions['task.viewAll']);
    const tasks = own(db).selectFrom('filesExportTask as t');
    return mine ? tasks.where('t.createdBy', '=', staff.userId) : tasks;
  })
  .with({
    where: {
      mine: elsewhere,
      name: (eb, name) => eb.or([eb('t.taskNo', 'like', containsPattern(name)), eb('t.name', 'like', containsPattern(name))]),
      source: (eb, source) => eb('t.sourceTitle', 'like', containsPattern(source)),
      state: 't.state',
      createdBy: (eb, name) => eb('t.createdName', 'like', containsPattern(name)),
      from: from('t.createdAt'),
      to: (eb, to) => eb('t.createdAt', '<', to),
    },
    id: 't.id',
    sorts: { taskNo: 't.taskNo', createdAt: 't.createdAt' },
    order: [['t.createdAt', 'desc']],
    select: (query) => query.selectAll('t'),
    async present(rows, { db, now }) {
      const positions = await queuePositions(
        db,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => presentExport(row, now, positions.get(row.id) ?? null));
    },
  });

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

import { createHash } from 'node:crypto';
import { refuse } from '#kernel/contract/errors.ts';
import { filtersOf } from '#kernel/contract/exporting.ts';
import { dayOf, showInstant, type Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Staff, Tx, Writing } from '#kernel/server/context.ts';
import { filterTextOf } from '#kernel/server/exporting/source.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ExportTasks } from '#kernel/server/ports.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { fileErrors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { runExports } from './runExports.ts';

const MAX_OPEN = 5;

export type ExportTaskRequest = Parameters<ExportTasks['request']>[1];

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([left], [right]) => left.localeCompare(right))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;

const hashOf = (task: ExportTaskRequest) =>
  createHash('sha256')
    .update(JSON.stringify([task.source, sorted(filtersOf(task.params)), task.columns, task.format, task.plain, task.staff.userRoleId]))
    .digest('hex');

/** One user's requests wait for each other, so that neither limit can be passed by two at once. */
const lockUser = (tx: Tx, userId: string) => lockKeys(tx, 'files.export', [userId]);

async function requireRoom(tx: Tx, staff: Staff, requestHash: string): Promise<void> {
  const open = await own(tx)
    .selectFrom('filesExportTask')
    .select(['taskNo', 'requestHash'])
    .where('createdBy', '=', staff.userId)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .execute();
  const same = open.find((task) => task.requestHash === requestHash);
  if (same) throw refuse(fileErrors.SAME_EXPORT_RUNNING, { taskNo: same.taskNo });
  if (open.length >= MAX_OPEN) throw refuse(fileErrors.TOO_MANY_EXPORTS);
}

/** `理赔订单查询_20261121_1530` */
const nameOf = (title: string, now: Instant) => {
  const shown = showInstant(now);
  return `${title}_${shown.slice(0, 10).replaceAll('-', '')}_${shown.slice(11, 16).replace(':', '')}`;
};

/**
 * Queues an export with the rights under which it was asked for.
 * @throws Refusal SCM02022 the same is running, SCM02027 five are open.
 */
export async function requestExport(kernel: Kernel, writing: Writing, task: ExportTaskRequest, now: Instant, traceId: string) {
  const { tx } = writing;
  const { staff } = task;
  const requestHash = hashOf(task);
  await lockUser(tx, staff.userId);
  await requireRoom(tx, staff, requestHash);
  const taskNo = await nextNumber(tx, 'DC', dayOf(now));
  const source = kernel.registry.exports.find((candidate) => candidate.call.name === task.source);
  const { id } = await own(tx)
    .insertInto('filesExportTask')
    .values({
      taskNo,
      name: nameOf(task.title, now),
      source: task.source,
      sourceTitle: task.title,
      routeKey: task.routeKey,
      params: json(filtersOf(task.params)),
      filterText: source ? filterTextOf(source, task.params) : '',
      columns: json(task.columns),
      scopeSnapshot: json(staff.scope),
      userRoleId: staff.userRoleId ?? '0',
      roleName: staff.roleName ?? '',
      requestHash,
      format: task.format,
      plain: task.plain,
      plainReason: task.plain ? (task.plainReason ?? null) : null,
      state: 'QUEUED',
      rowsTotal: task.rowsTotal,
      queuedAt: now,
      traceId,
      ...authorColumns({ now, staff }),
      createdName: staff.displayName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  writing.target({ type: 'files.exportTask', id, no: taskNo });
  await writing.enqueue(runExports, {});
  return { exportTaskId: id, taskNo, rowsTotal: task.rowsTotal };
}

/** The kernel's port. */
export const makeExportTasks = (kernel: Kernel): ExportTasks => ({
  request: (writing, task, now) => requestExport(kernel, writing, task, now, ''),
});

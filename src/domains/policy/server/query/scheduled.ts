import { Refusal } from '#kernel/contract/errors.ts';
import { fileErrors } from '#kernel/contract/fileErrors.ts';
import { dayOf, minutes, plusMs } from '#kernel/contract/time.ts';
import type { Db, Staff, Writing } from '#kernel/server/context.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { JobContext, JobKind } from '#kernel/server/jobs/declaration.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { exportQueryTable } from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { queryConfig } from '../../contract/query.ts';
import { wordsOf } from '../../contract/queryWords.ts';
import { json, own } from '../database.ts';
import { shownDataset } from './tableData.ts';
import { columnKeys, EXPORT_ROUTE, EXPORT_TITLE } from './exports.ts';
import { nextOn } from './nextOn.ts';
import { exporters, unplanned, userIds } from './views.ts';

const AGAIN_AFTER = minutes(30);
const refusedAs = (error: unknown, { code }: { code: string }) => error instanceof Refusal && error.code === code;

/** Who may export, and under which rights: read once for all views of a run. */
async function exporting({ kernel, db: pool, now }: JobContext) {
  const able = new Map((await exporters(pool, dayOf(now))).map(({ userId, userRoleId }) => [userId, userRoleId]));
  const known = new Map<string, Staff | null>();
  const staffOf = async (db: Db, userRoleId: string): Promise<Staff | null> => {
    const staff = known.get(userRoleId) ?? (await kernel.ports.sessions.contextOf(db, userRoleId, now));
    known.set(userRoleId, staff);
    return staff;
  };
  return {
    staffOf,
    recipient: async (db: Db, userId: string) => {
      const userRoleId = able.get(userId);
      return userRoleId === undefined ? null : staffOf(db, userRoleId);
    },
  };
}
type Exporting = Awaited<ReturnType<typeof exporting>>;
type Asked = Omit<Parameters<JobContext['kernel']['ports']['exportTasks']['request']>[1], 'staff'>;

/** @returns whether there is a task of it now; false: five others of his are open. */
async function queue(writing: Writing, asked: Asked, staff: Staff, { kernel, now }: JobContext): Promise<boolean> {
  try {
    await kernel.ports.exportTasks.request(writing, { ...asked, staff }, now);
    return true;
  } catch (error) {
    if (refusedAs(error, fileErrors.TOO_MANY_EXPORTS)) return false;
    // He has asked for this very sheet himself, and gets it.
    if (refusedAs(error, fileErrors.SAME_EXPORT_RUNNING)) return true;
    throw error;
  }
}

/**
 * A view that is due, for its owner and those whom he named: each gets what he may see, masked. It stays due for whoever has no room
 * for it, until the next time comes round.
 * @returns whether somebody waits
 */
async function runView(id: string, people: Exporting, ctx: JobContext): Promise<boolean> {
  const { kernel, now } = ctx;
  const today = dayOf(now);
  return ctx.transaction(async (writing) => {
    const view = await own(writing.tx)
      .selectFrom('policyQueryView')
      .selectAll()
      .where('id', '=', id)
      .where('nextOn', '<=', today)
      .forUpdate()
      .executeTakeFirst();
    if (!view || view.scheduleDay === null || view.nextOn === null) return false;
    const views = own(writing.tx).updateTable('policyQueryView').where('id', '=', id);
    const owner = view.ownerUserRoleId === null ? null : await people.staffOf(writing.tx, view.ownerUserRoleId);
    if (!owner?.permissions.has(may['query.export'].code)) {
      await views.set((eb) => ({ ...unplanned, version: eb('version', '+', 1), ...updatedColumns({ now, userId: null }) })).execute();
      kernel.log.warn({ viewId: id, ownerUserId: view.ownerUserId }, 'a schedule was ended: its owner may no longer export');
      return false;
    }
    const config = queryConfig.parse(view.config);
    const asked: Asked = {
      source: exportQueryTable.name,
      title: `${EXPORT_TITLE}_${view.viewName}`,
      routeKey: EXPORT_ROUTE,
      params: {
        dataset: view.dataset,
        config,
        masked: true,
        filterText: `定时导出：${view.viewName}；${wordsOf(shownDataset(view.dataset), config)}`,
      },
      columns: columnKeys(view.dataset, config, { viewer: owner, today }),
      format: 'XLSX',
      plain: false,
      rowsTotal: 0,
    };
    const left = userIds.parse(view.waiting);
    const goesOn = left.length > 0 && today < nextOn(view.nextOn, view.scheduleDay);
    const waiting: string[] = [];
    let isMade = false;
    for (const userId of goesOn ? left : new Set([view.ownerUserId, ...userIds.parse(view.recipients)])) {
      const staff = userId === view.ownerUserId ? owner : await people.recipient(writing.tx, userId);
      if (!staff) continue;
      if (await queue(writing, asked, staff, ctx)) isMade = true;
      else waiting.push(userId);
    }
    if (waiting.length > 0) kernel.log.warn({ viewId: id, userIds: waiting }, 'a scheduled export waits: too many others are open');
    await views
      .set({
        waiting: json(waiting),
        nextOn: waiting.length > 0 ? view.nextOn : nextOn(today, view.scheduleDay),
        ...(isMade && { lastRunAt: now }),
      })
      .execute();
    return waiting.length > 0;
  });
}

const again: JobKind = { name: 'policy.exportViewsAgain', label: '查询视图定时导出（等待后重试）', expireSeconds: 1800 };

/** @throws Error naming the views that could not be exported; they hold up no other. */
async function runDue(_data: object, ctx: JobContext): Promise<void> {
  const { now, signal } = ctx;
  const due = await own(ctx.db)
    .selectFrom('policyQueryView')
    .select(['id', 'viewName'])
    .where('nextOn', '<=', dayOf(now))
    .orderBy('id')
    .execute();
  if (due.length === 0) return;
  const people = await exporting(ctx);
  const failures = isolateFailures(ctx);
  let waits = false;
  for (const { id, viewName } of due) {
    if (signal.aborted) break;
    await failures.run(viewName, async () => {
      waits = (await runView(id, people, ctx)) || waits;
    });
  }
  const at = plusMs(now, AGAIN_AFTER);
  if (waits && dayOf(at) === dayOf(now))
    await ctx.transaction((writing) => writing.enqueue(again, {}, { startAfter: at, singletonKey: again.name }));
  failures.throwIfAny();
}

/** Every morning; what a standstill left out, or had no room, is made up on the next one. */
export const scheduledJob = job({
  name: 'policy.exportViews',
  label: '查询视图定时导出',
  cron: '10 6 * * *',
  expireSeconds: 1800,
  run: runDue,
});
/** On the same day once more, while somebody waits. */
export const againJob = job({ ...again, run: runDue });

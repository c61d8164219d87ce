import { Refusal } from '../../../../kernel/contract/errors.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { job } from '../../../../kernel/server/jobs/declaration.ts';
import type { JobContext } from '../../../../kernel/server/jobs/declaration.ts';
import { exportQueryTable } from '../../contract/calls/query.ts';
import { queryConfig } from '../../contract/query.ts';
import { own } from '../database.ts';
import { columnKeys, EXPORT_ROUTE, EXPORT_TITLE } from './exports.ts';
import { nextOn } from './nextOn.ts';
import { exporters, userIds } from './views.ts';

/** A view of this day, for its owner and those whom he named: each gets what he may see, masked. */
async function runView(id: string, { kernel, db, now, transaction }: JobContext): Promise<void> {
  const today = dayOf(now);
  const able = await exporters(db, today);
  await transaction(async (writing) => {
    const view = await own(writing.tx)
      .selectFrom('policyQueryView')
      .selectAll()
      .where('id', '=', id)
      .where('nextOn', '<=', today)
      .forUpdate()
      .executeTakeFirst();
    if (!view || view.scheduleDay === null) return;
    const config = queryConfig.parse(view.config);
    for (const userId of new Set([view.ownerUserId, ...userIds.parse(view.recipients)])) {
      const assignment = able.find((one) => one.userId === userId);
      const staff = assignment && (await kernel.ports.sessions.contextOf(db, assignment.userRoleId, now));
      if (!staff) continue;
      try {
        await kernel.ports.exportTasks.request(
          writing,
          {
            source: exportQueryTable.name,
            title: `${EXPORT_TITLE}_${view.viewName}`,
            routeKey: EXPORT_ROUTE,
            params: { dataset: view.dataset, config, masked: true, filterText: `定时导出：${view.viewName}` },
            columns: columnKeys(view.dataset, config, { viewer: staff, today }),
            format: 'XLSX',
            plain: false,
            rowsTotal: 0,
            staff,
          },
          now,
        );
      } catch (error) {
        // His five tasks are open, or this very one is: the others get theirs.
        if (!(error instanceof Refusal)) throw error;
        kernel.log.warn({ viewId: id, userId, message: error.message }, 'a scheduled export was not queued');
      }
    }
    await own(writing.tx)
      .updateTable('policyQueryView')
      .set({ nextOn: nextOn(today, view.scheduleDay), lastRunAt: now })
      .where('id', '=', id)
      .execute();
  });
}

/** Every morning; what a standstill left out is made up on the next one. */
export const scheduledJob = job({
  name: 'policy.exportViews',
  label: '查询视图定时导出',
  cron: '10 6 * * *',
  expireSeconds: 1800,
  async run(_data, ctx) {
    const due = await own(ctx.db).selectFrom('policyQueryView').select('id').where('nextOn', '<=', dayOf(ctx.now)).orderBy('id').execute();
    for (const { id } of due) {
      if (ctx.signal.aborted) return;
      await runView(id, ctx);
    }
  },
});

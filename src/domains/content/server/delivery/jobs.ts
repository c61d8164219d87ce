import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { advertPermissions } from '../../contract/delivery/permissions.ts';
import { advertMachine } from '../../contract/delivery/states.ts';
import { own, ownTx } from '../database.ts';
import { LATEST } from '../gateway/report.ts';
import { publishDeliveryChanged } from './actions.ts';
import { records } from './rows.ts';

const REASON = '批准文号到期';
/** Who advertises is told as many days before. */
const WARNINGS = [30, 7] as const;

/** Takes down what is approved beyond the last day of its approval, and tells of approvals that end soon. */
export const expireApprovals = job({
  name: 'content.expireApprovals',
  label: '广告批准文号到期处理',
  cron: '5 0 * * *',
  expireSeconds: 600,
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    const approved = await own(ctx.db)
      .selectFrom('contentDelivery as d')
      .innerJoin('contentAdvert as a', 'a.deliveryId', 'd.id')
      .select(['d.id', 'd.deliveryNo', 'd.name', 'a.approvalUntil'])
      .where('d.state', '=', 'APPROVED')
      .where('a.approvalUntil', '<=', plusDays(today, WARNINGS[0]))
      .orderBy('d.id')
      .execute();
    for (const { id, approvalUntil } of approved) {
      if (approvalUntil === null || approvalUntil >= today) continue;
      await ctx.transaction(async (writing) => {
        const row = await records.AD.lock(writing.tx, records.AD.everyone, id);
        if (row.state !== 'APPROVED') return;
        const state = await moveState(asSystem(writing, ctx), advertMachine, {
          targetType: records.AD.type,
          targetId: id,
          targetNo: row.deliveryNo,
          action: 'expire',
          from: row.state,
          opinion: REASON,
        });
        await ownTx(writing.tx)
          .updateTable('contentDelivery')
          .set({ state, offlineReason: REASON, version: row.version + 1, ...updatedColumns({ now: ctx.now, userId: null }) })
          .where('id', '=', id)
          .execute();
        await publishDeliveryChanged(writing, row);
      });
    }
    for (const left of WARNINGS) {
      const ending = approved.filter(({ approvalUntil }) => approvalUntil === plusDays(today, left));
      if (ending.length === 0) continue;
      await ctx.transaction(({ tx }) =>
        ctx.kernel.ports.notices.addAlert(
          tx,
          {
            businessKey: `content.approval.${left}.${today}`,
            title: `${ending.length}个广告的批准文号${left}天后到期`,
            body: ending.map(({ deliveryNo, name }) => `${deliveryNo} ${name}`).join('；'),
            link: '/advertiseManage?approvalSoon=true',
            permission: advertPermissions['ad.edit'].code,
          },
          ctx.now,
        ),
      );
    }
  },
});

/** As long after its end nobody asks any more who saw a delivery. */
const KEPT = days(30);

/** Forgets what may not be told again, and who saw what is over; the counts stay. */
export const forgetViewers = job({
  name: 'content.forgetViewers',
  label: '清理投放事件与人次',
  cron: '40 3 * * *',
  expireSeconds: 1800,
  async run(_data, ctx) {
    await ctx.transaction(async ({ tx }) => {
      await sql`delete from content_event where at < ${plusMs(ctx.now, -LATEST)}`.execute(tx);
      await sql`delete from content_viewing v using content_delivery d
        where d.id = v.delivery_id and d.end_at < ${plusMs(ctx.now, -KEPT)}`.execute(tx);
    });
  },
});

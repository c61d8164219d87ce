import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import { command } from '../../../../kernel/server/handler.ts';
import { sortBanner } from '../../contract/banners/calls.ts';
import { machines } from '../../contract/delivery/states.ts';
import { ownTx } from '../database.ts';
import { publishDeliveryChanged } from './actions.ts';
import { records } from './rows.ts';

const HIGHEST = 99;

/** The first of a place gets the highest priority; all of those that are and will be delivered there are named. */
export const sortBanners = command(sortBanner, async ({ positionCode, ids }, ctx) => {
  const tx = ownTx(ctx.tx);
  const rows = await tx
    .selectFrom('contentDelivery')
    .select(['id', 'deliveryNo', 'state', 'priority', 'pageCode', 'positionCode'])
    .where('kind', '=', 'BANNER')
    .where('positionCode', '=', positionCode)
    .where('state', '=', 'APPROVED')
    .where('endAt', '>', ctx.now)
    .orderBy('id')
    .forUpdate()
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !byId.has(id))) throw refuse(platformErrors.NOT_FOUND, { message: 'Banner不存在或不在该位置投放' });
  if (new Set(ids).size !== ids.length || ids.length !== byId.size) throw refuseField('ids', '请包含该位置投放中和待投放的全部Banner');
  for (const [place, id] of ids.entries()) {
    const row = byId.get(id);
    const priority = HIGHEST - place;
    if (!row || row.priority === priority) continue;
    await moveState(ctx, machines.BANNER, {
      targetType: records.BANNER.type,
      targetId: id,
      targetNo: row.deliveryNo,
      action: 'adjust',
      from: row.state,
      differences: [{ path: 'priority', label: '优先级', before: row.priority, after: priority }],
    });
    await tx
      .updateTable('contentDelivery')
      .set({ priority, version: sql<number>`version + 1`, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
  }
  const [first] = rows;
  if (first) await publishDeliveryChanged(ctx, first);
  return {};
});

import { refuse } from '#kernel/contract/errors.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { overlaps, tidyWeek, weekOverlaps } from '../../contract/opening.ts';
import { saveBusinessHours, saveStoreHolidays } from '../../contract/storeCalls.ts';
import { storesSeen, type Seer } from '../access.ts';
import { json, ownTx, type InstitutionTx } from '../database.ts';

const CLOSED = '门店已关店，未修改';
const MISSING = '门店不存在或已删除';

/** Stores in the order asked for, locked in the order of their ids. */
async function lockAll(tx: InstitutionTx, seer: Seer, storeIds: readonly string[]) {
  const rows = await storesSeen(tx, seer)
    .select(['s.id', 's.name', 's.state', 's.storeNo'])
    .where('s.id', 'in', [...storeIds])
    .orderBy('s.id')
    .forUpdate()
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(storeIds)].map((id) => ({ id, row: known.get(id) }));
}

export const hoursHandlers: readonly Handler[] = [
  command(saveBusinessHours, async ({ storeIds, weekHours }, ctx) => {
    const tx = ownTx(ctx.tx);
    const week = tidyWeek(weekHours);
    if (weekOverlaps(week)) throw refuse(institutionErrors.HOURS_OVERLAP);
    const results = [];
    for (const { id, row } of await lockAll(tx, ctx.staff, storeIds)) {
      const ok = row !== undefined && row.state !== 'CLOSED';
      if (ok) {
        await tx
          .updateTable('institutionDrugstore')
          .set((eb) => ({ weekHours: json(week), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
          .where('id', '=', id)
          .execute();
        ctx.target({ type: 'institution.drugstore', id, no: row.storeNo });
      }
      results.push({ id, name: row?.name ?? id, ok, message: ok ? '成功' : row ? CLOSED : MISSING });
    }
    ctx.changed([{ path: 'weekHours', label: '营业时间', before: null, after: week }]);
    return results;
  }),
  command(saveStoreHolidays, async ({ storeIds, days }, ctx) => {
    const tx = ownTx(ctx.tx);
    if (days.some(({ spans }) => spans !== null && overlaps(spans))) throw refuse(institutionErrors.HOURS_OVERLAP);
    const results = [];
    for (const { id, row } of await lockAll(tx, ctx.staff, storeIds)) {
      const ok = row !== undefined && row.state !== 'CLOSED';
      if (ok) {
        for (const { day, spans, note } of days) {
          if (spans === null) await tx.deleteFrom('institutionStoreHoliday').where('storeId', '=', id).where('day', '=', day).execute();
          else {
            const values = {
              spans: json([...spans].toSorted((a, b) => a.from - b.from)),
              note,
              ...updatedColumns(ctx),
            };
            await tx
              .insertInto('institutionStoreHoliday')
              .values({ storeId: id, day, ...values })
              .onConflict((conflict) => conflict.columns(['storeId', 'day']).doUpdateSet(values))
              .execute();
          }
        }
        ctx.target({ type: 'institution.drugstore', id, no: row.storeNo });
      }
      results.push({ id, name: row?.name ?? id, ok, message: ok ? '成功' : row ? CLOSED : MISSING });
    }
    ctx.changed([{ path: 'holidays', label: '节假日安排', before: null, after: days.map(({ day }) => day).join('、') }]);
    return results;
  }),
];

import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import {
  addControlModule,
  modifyControlModule,
  queryControlModuleList,
  removeControlModule,
  setControlModuleEnabled,
  sortControlModule,
} from '../../contract/controls/modules.ts';
import { productLines } from '../../contract/businessLines.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { countHits } from './hitCounts.ts';
import { moduleRecords, moduleScope } from './records.ts';

async function names(
  ctx: QueryContext,
  table: 'insuranceInsurer' | 'insuranceProduct',
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows =
    table === 'insuranceInsurer'
      ? await own(ctx.db).selectFrom('insuranceInsurer').select(['id', 'shortName as name']).where('id', 'in', ids).execute()
      : await own(ctx.db).selectFrom('insuranceProduct').select(['id', 'shortName as name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const list = query(queryControlModuleList, async (_input, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('insuranceControlModule as m')
    .selectAll('m')
    .select(sql<number>`(select count(*)::int from insurance_control_rule r where r.module_id = m.id)`.as('rules'))
    .where(moduleScope(ctx.staff))
    .orderBy('m.sort')
    .orderBy('m.id')
    .execute();
  const counted = await countHits(
    ctx.db,
    ctx.staff,
    'module',
    rows.map(({ id }) => id),
    ctx.today,
  );
  const insurers = await names(ctx, 'insuranceInsurer', [...new Set(rows.flatMap(({ insurerIds }) => insurerIds))]);
  const products = await names(ctx, 'insuranceProduct', [...new Set(rows.flatMap(({ productIds }) => productIds))]);
  return Promise.all(
    rows.map(async (row) => {
      const { hits, savedFen, overturnBp } = counted(row.id);
      const lines = productLines.codes.filter((line) => row.productLines.includes(line));
      const scope = [
        ...row.insurerIds.map((id) => insurers.get(id) ?? ''),
        ...lines.map((line) => productLines.label(line)),
        ...row.productIds.map((id) => products.get(id) ?? ''),
      ].filter((name) => name !== '');
      return {
        id: row.id,
        moduleCode: row.moduleCode,
        moduleName: row.moduleName,
        stage: row.stage,
        insurerIds: row.insurerIds,
        productLines: lines,
        productIds: row.productIds,
        scopeText: scope.length === 0 ? '全部产品' : scope.join('、'),
        observeOnly: row.observeOnly,
        ownerUserId: row.ownerUserId,
        ownerName: row.ownerUserId === null ? null : await ctx.nameOf(row.ownerUserId),
        enabled: row.enabled,
        remark: row.remark,
        rules: row.rules,
        version: row.version,
        hits,
        savedFen,
        overturnBp,
      };
    }),
  );
});

const answer = (row: { id: string; enabled: boolean; version: number }) => ({
  id: row.id,
  state: row.enabled ? 'ENABLED' : 'DISABLED',
  version: row.version,
  allowedActions: [],
});

const add = command(addControlModule, async (facts, ctx) => {
  const tx = ownTx(ctx.tx);
  await lockKeys(ctx.tx, moduleRecords.type);
  const same = await tx.selectFrom('insuranceControlModule').select('id').where('moduleCode', '=', facts.moduleCode).executeTakeFirst();
  if (same) throw refuseField('moduleCode', '模块编码已存在');
  const { next } = await tx
    .selectFrom('insuranceControlModule')
    .select(sql<number>`coalesce(max(sort), 0) + 1`.as('next'))
    .executeTakeFirstOrThrow();
  const row = await tx
    .insertInto('insuranceControlModule')
    .values({ ...facts, sort: next, ...createdColumns(ctx) })
    .returning(['id', 'enabled', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: moduleRecords.type, id: row.id, no: facts.moduleCode });
  return answer(row);
});

const modify = command(modifyControlModule, async ({ id, version, ...facts }, ctx) => {
  const row = await moduleRecords.lockVersion(ctx, id, version, ({ moduleName, remark }) => ({ moduleName, remark }));
  await ownTx(ctx.tx)
    .updateTable('insuranceControlModule')
    .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: moduleRecords.type, id, no: row.moduleCode });
  return answer({ ...row, version: version + 1 });
});

const remove = command(removeControlModule, async ({ id, version }, ctx) => {
  const row = await moduleRecords.lockVersion(ctx, id, version);
  const rule = await ownTx(ctx.tx).selectFrom('insuranceControlRule').select('id').where('moduleId', '=', id).executeTakeFirst();
  if (rule) throw refuse(insuranceErrors.MODULE_IN_USE);
  await ownTx(ctx.tx).deleteFrom('insuranceControlModule').where('id', '=', id).execute();
  ctx.target({ type: moduleRecords.type, id, no: row.moduleCode });
  return {};
});

const sort = command(sortControlModule, async ({ ids }, ctx) => {
  const { rows } = await sql<{ id: string }>`select m.id::text from insurance_control_module m
    where m.id = any(${ids}::bigint[]) and ${moduleScope(ctx.staff)} order by m.id for update`.execute(ctx.tx);
  if (rows.length !== new Set(ids).size) throw moduleRecords.missing();
  await sql`update insurance_control_module m set sort = o.place, updated_at = ${ctx.now}, updated_by = ${ctx.staff.userId}
    from unnest(${ids}::bigint[]) with ordinality as o (id, place) where o.id = m.id`.execute(ctx.tx);
  ctx.target({ type: moduleRecords.type, id: ids[0]! });
  return {};
});

const setEnabled = command(setControlModuleEnabled, async ({ id, version, enabled, opinion }, ctx) => {
  const row = await moduleRecords.lockVersion(ctx, id, version, (seen) => ({ enabled: seen.enabled }));
  await ownTx(ctx.tx)
    .updateTable('insuranceControlModule')
    .set({ enabled, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: moduleRecords.type, id, no: row.moduleCode });
  ctx.changed([
    { path: 'enabled', label: '启用', before: row.enabled, after: enabled },
    { path: 'opinion', label: '意见', before: null, after: opinion },
  ]);
  return answer({ id, enabled, version: version + 1 });
});

export const moduleHandlers = [list, add, modify, remove, sort, setEnabled];

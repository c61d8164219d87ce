import { sql, type SqlBool } from 'kysely';
import { refuse } from '../../../../kernel/contract/errors.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { createdColumns, updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import { command, query } from '../../../../kernel/server/handler.ts';
import { recordOf } from '../../../../kernel/server/record/recordOf.ts';
import { addQueryView, modifyQueryView, queryViewList, removeQueryView, shareQueryView, type ViewRow } from '../../contract/calls/query.ts';
import { policyErrors } from '../../contract/errors.ts';
import { queryConfig } from '../../contract/query.ts';
import { json, own } from '../database.ts';
import { compile } from './compile.ts';
import { datasetOf } from './datasets.ts';

/** A view is changed, shared and removed by its owner alone; others use it as it is. */
const ownViews = recordOf((db) => own(db).selectFrom('policyQueryView as v').selectAll('v')).with({
  noun: '视图',
  type: 'policy.queryView',
  id: 'v.id',
  scope: ({ userId }: Viewer) => sql<SqlBool>`v.owner_user_id = ${userId}`,
});
type Stored = Awaited<ReturnType<typeof ownViews.get>>;

const shown = (row: Stored, userId: string): ViewRow => ({
  id: row.id,
  dataset: row.dataset,
  viewName: row.viewName,
  config: queryConfig.parse(row.config),
  scope: row.scope,
  ownerName: row.ownerName,
  mine: row.ownerUserId === userId,
  updatedAt: row.updatedAt,
  version: row.version,
});

const MOST_VIEWS = 500;
const viewList = query(queryViewList, async (_input, { db, staff }) => {
  const rows = await own(db)
    .selectFrom('policyQueryView as v')
    .selectAll('v')
    .where((eb) =>
      eb.or([
        eb('v.ownerUserId', '=', staff.userId),
        eb('v.scope', '=', 'ALL'),
        eb.and([eb('v.scope', '=', 'ROLE'), eb('v.roleCode', '=', staff.roleCode)]),
      ]),
    )
    .orderBy('v.dataset')
    .orderBy('v.viewName')
    .orderBy('v.id')
    .limit(MOST_VIEWS)
    .execute();
  return { views: rows.map((row) => shown(row, staff.userId)) };
});

/** @throws Refusal SCM13073 where he has one of that name already; SCM13070, SCM13072 where it asks for what is not there */
const add = command(addQueryView, async ({ dataset, config, viewName }, ctx) => {
  compile(datasetOf[dataset], config, { viewer: ctx.staff, today: ctx.today });
  const row = await own(ctx.tx)
    .insertInto('policyQueryView')
    .values({
      ownerUserId: ctx.staff.userId,
      ownerName: ctx.staff.displayName,
      dataset,
      viewName,
      config: json(config),
      ...createdColumns(ctx),
    })
    .onConflict((on) => on.columns(['ownerUserId', 'dataset', 'viewName']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw refuse(policyErrors.VIEW_NAME_TAKEN);
  return shown(row, ctx.staff.userId);
});

const modify = command(modifyQueryView, async ({ id, version, viewName, config }, ctx) => {
  const before = await ownViews.lockVersion(ctx, id, version, (row) => shown(row, ctx.staff.userId));
  compile(datasetOf[before.dataset], config, { viewer: ctx.staff, today: ctx.today });
  const taken = await own(ctx.tx)
    .selectFrom('policyQueryView')
    .select('id')
    .where('ownerUserId', '=', ctx.staff.userId)
    .where('dataset', '=', before.dataset)
    .where('viewName', '=', viewName)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken) throw refuse(policyErrors.VIEW_NAME_TAKEN);
  const row = await own(ctx.tx)
    .updateTable('policyQueryView')
    .set((eb) => ({ viewName, config: json(config), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return shown(row, ctx.staff.userId);
});

const remove = command(removeQueryView, async ({ id, version }, ctx) => {
  await ownViews.lockVersion(ctx, id, version);
  await own(ctx.tx).deleteFrom('policyQueryView').where('id', '=', id).execute();
  return {};
});

const share = command(shareQueryView, async ({ id, version, scope }, ctx) => {
  await ownViews.lockVersion(ctx, id, version, (row) => shown(row, ctx.staff.userId));
  const row = await own(ctx.tx)
    .updateTable('policyQueryView')
    .set((eb) => ({
      scope,
      roleCode: scope === 'ROLE' ? ctx.staff.roleCode : null,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return shown(row, ctx.staff.userId);
});

export const viewHandlers = [viewList, add, modify, remove, share];

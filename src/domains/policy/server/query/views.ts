import { sql, type SqlBool, type Updateable } from 'kysely';
import * as z from 'zod/mini';
import type { Day } from '#kernel/contract/time.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import {
  addQueryView,
  modifyQueryView,
  queryViewList,
  queryViewRecipientOptions,
  removeQueryView,
  shareQueryView,
  type ViewRow,
} from '../../contract/calls/query.ts';
import { policyErrors } from '../../contract/errors.ts';
import { queryConfig } from '../../contract/query.ts';
import { checkersFor, userBrief } from '#domains/identity/server/index.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { json, own } from '../database.ts';
import type { PolicyQueryView } from '../tables.ts';
import { compile } from './compile.ts';
import { datasetOf } from './datasets.ts';
import { nextOn } from './nextOn.ts';

/** A view is changed, shared and removed by its owner alone; others use it as it is. */
const ownViews = recordOf((db) => own(db).selectFrom('policyQueryView as v').selectAll('v')).with({
  noun: '视图',
  type: 'policy.queryView',
  id: 'v.id',
  scope: ({ userId }: Viewer) => sql<SqlBool>`v.owner_user_id = ${userId}`,
});
type Stored = Awaited<ReturnType<typeof ownViews.get>>;

export const userIds = z.array(z.string());
const MOST_OPTIONS = 1_000;

/** Who may export, with the assignment that lets him. */
export const exporters = (db: Db | Tx, today: Day) => checkersFor(db, { permission: may['query.export'].code, today, limit: MOST_OPTIONS });

const recipientOptions = query(queryViewRecipientOptions, async ({ id }, { db, staff, today }) => {
  const able = await exporters(db, today);
  const named = id === undefined ? [] : userIds.parse((await ownViews.get(db, staff, id)).recipients);
  const unable = await userBrief(
    db,
    named.filter((userId) => !able.some((one) => one.userId === userId)),
  );
  return [
    ...able.map(({ userId, displayName, roleName }) => ({ userId, displayName, roleName, able: true })),
    ...unable.map(({ userId, displayName }) => ({ userId, displayName, roleName: '', able: false })),
  ];
});

const shown = (row: Stored, userId: string): ViewRow => ({
  id: row.id,
  dataset: row.dataset,
  viewName: row.viewName,
  config: z.safeParse(queryConfig, row.config).data ?? null,
  scope: row.scope,
  schedule: row.scheduleDay === null ? null : { dayOfMonth: row.scheduleDay, recipients: userIds.parse(row.recipients) },
  nextOn: row.nextOn,
  lastRunAt: row.lastRunAt,
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

/** One person's views get and change their names one after another: each sees the names that the others have. */
const lockNames = ({ tx, staff }: CommandContext) => lockKeys(tx, 'policy.queryView', [staff.userId]);

/** @throws Refusal SCM13073 where he has one of that name already; SCM13070, SCM13072 where it asks for what is not there */
const add = command(addQueryView, async ({ dataset, config, viewName }, ctx) => {
  compile(datasetOf[dataset], config, { viewer: ctx.staff, today: ctx.today });
  await lockNames(ctx);
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

/**
 * What is still due of the same day's schedule stays due, for those who still wait for it.
 * @throws Refusal SCM90010 where he may not export, SCM90000 naming the recipients who may not
 */
async function scheduled({ dayOfMonth, recipients }: NonNullable<ViewRow['schedule']>, before: Stored, ctx: CommandContext) {
  ctx.requirePermission(may['query.export']);
  const able = await exporters(ctx.tx, ctx.today);
  const unable = recipients.filter((userId) => !able.some((one) => one.userId === userId));
  if (unable.length > 0) {
    const known = await userBrief(ctx.tx, unable);
    const names = unable.map((userId) => known.find((one) => one.userId === userId)?.displayName ?? `用户${userId}`);
    throw refuseField('schedule', `接收人${names.join('、')}没有导出查询结果的权限，请移除后再保存`);
  }
  const waiting = before.scheduleDay === dayOfMonth ? userIds.parse(before.waiting) : [];
  const rest = waiting.filter((userId) => userId === ctx.staff.userId || recipients.includes(userId));
  // Where the last of those who wait is taken off, this time is over.
  const stays = before.scheduleDay === dayOfMonth && (rest.length > 0 || waiting.length === 0);
  return {
    scheduleDay: dayOfMonth,
    recipients: json([...new Set(recipients)]),
    nextOn: stays && before.nextOn !== null ? before.nextOn : nextOn(ctx.today, dayOfMonth),
    waiting: json(rest),
    ownerUserRoleId: ctx.staff.userRoleId,
  };
}
export const unplanned = { scheduleDay: null, recipients: json([]), nextOn: null, waiting: json([]) };

type Changes = Updateable<PolicyQueryView>;
/** What changes of a view, as its next version. */
async function keep(ctx: CommandContext, id: string, changes: Changes): Promise<ViewRow> {
  const row = await own(ctx.tx)
    .updateTable('policyQueryView')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return shown(row, ctx.staff.userId);
}

const modify = command(modifyQueryView, async ({ id, version, viewName, config, schedule }, ctx) => {
  const before = await ownViews.lockVersion(ctx, id, version, (row) => shown(row, ctx.staff.userId));
  if (config) compile(datasetOf[before.dataset], config, { viewer: ctx.staff, today: ctx.today });
  await lockNames(ctx);
  const taken = await own(ctx.tx)
    .selectFrom('policyQueryView')
    .select('id')
    .where('ownerUserId', '=', ctx.staff.userId)
    .where('dataset', '=', before.dataset)
    .where('viewName', '=', viewName)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken) throw refuse(policyErrors.VIEW_NAME_TAKEN);
  const planned = schedule === undefined ? {} : schedule === null ? unplanned : await scheduled(schedule, before, ctx);
  return keep(ctx, id, { viewName, ...(config && { config: json(config) }), ...planned });
});

const remove = command(removeQueryView, async ({ id, version }, ctx) => {
  await ownViews.lockVersion(ctx, id, version);
  await own(ctx.tx).deleteFrom('policyQueryView').where('id', '=', id).execute();
  return {};
});

const share = command(shareQueryView, async ({ id, version, scope }, ctx) => {
  await ownViews.lockVersion(ctx, id, version, (row) => shown(row, ctx.staff.userId));
  return keep(ctx, id, { scope, roleCode: scope === 'ROLE' ? ctx.staff.roleCode : null });
});

export const viewHandlers = [viewList, recipientOptions, add, modify, remove, share];

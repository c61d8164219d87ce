import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { delView, querySavedViews, saveView } from '../../contract/calls/groups.ts';
import { json, own, ownTx } from '../database.ts';
import { meOf } from '../people/me.ts';

const MOST = 10;
const columns = ['id', 'name', 'filters'] as const;
const asFilters = (filters: unknown): Record<string, unknown> => (typeof filters === 'object' && filters !== null ? { ...filters } : {});

const list: Handler = query(querySavedViews, async (_input, ctx) => {
  const me = await meOf(ctx.db, ctx);
  const rows = await own(ctx.db)
    .selectFrom('consultationSavedView')
    .select(columns)
    .where('assistantId', '=', me.assistantId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, filters: asFilters(row.filters) }));
});

/** One view of a name: saving it again changes it. */
const save: Handler = command(saveView, async ({ name, filters }, ctx) => {
  const me = await meOf(ctx.tx, ctx);
  await lockKeys(ctx.tx, 'consultation.savedView', [me.assistantId]);
  const present = await ownTx(ctx.tx)
    .selectFrom('consultationSavedView')
    .select('name')
    .where('assistantId', '=', me.assistantId)
    .execute();
  if (present.length >= MOST && !present.some((view) => view.name === name))
    throw refuseField('name', `常用视图最多${MOST}个，请先删除不用的视图`);
  const row = await ownTx(ctx.tx)
    .insertInto('consultationSavedView')
    .values({ assistantId: me.assistantId, name, filters: json(filters), createdAt: ctx.now })
    .onConflict((conflict) => conflict.columns(['assistantId', 'name']).doUpdateSet({ filters: json(filters) }))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { ...row, filters: asFilters(row.filters) };
});

const remove: Handler = command(delView, async ({ id }, ctx) => {
  const me = await meOf(ctx.tx, ctx);
  const gone = await ownTx(ctx.tx)
    .deleteFrom('consultationSavedView')
    .where('id', '=', id)
    .where('assistantId', '=', me.assistantId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw refuse(platformErrors.NOT_FOUND);
  return gone;
});

export const viewHandlers: readonly Handler[] = [list, save, remove];

import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { changeServiceItemState, delServiceItem, sortServiceItem } from '../../contract/calls/items.ts';
import { itemMachine } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { arrangeAmong } from '../categories/arrange.ts';
import { lockKeys, ownTx } from '../database.ts';
import { ITEM_TARGET, useFile } from './files.ts';
import { republishItem } from './republish.ts';
import { lockItem } from './save.ts';

/** 上架 and 下架. What is off the shelf keeps its openings, but nobody buys it. */
export const changeItemState = command(changeServiceItemState, async ({ id, version, action, opinion }, ctx) => {
  const row = await lockItem(ctx, id, version);
  const state = await moveState(ctx, itemMachine, {
    targetType: ITEM_TARGET,
    targetId: id,
    targetNo: row.itemCode,
    action,
    from: row.state,
    ...(opinion !== null && { opinion }),
  });
  if (action === 'on') {
    const category = await ownTx(ctx.tx)
      .selectFrom('doctorServiceCategory')
      .select('state')
      .where('id', '=', row.categoryId)
      .executeTakeFirstOrThrow();
    if (category.state !== 'ENABLED') throw refuseField('id', '所在分类已停用，请先启用分类或更换分类');
  }
  await ownTx(ctx.tx)
    .updateTable('doctorServiceItem')
    .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await republishItem(ctx, id);
  return actionAnswer(ctx, itemMachine, { id, state, version: version + 1 });
});

/** Drafts alone; an item that was ever on the shelf is only taken off it. */
export const removeItem = command(delServiceItem, async ({ id, version }, ctx) => {
  const row = await lockItem(ctx, id, version);
  const opened = await ownTx(ctx.tx).selectFrom('doctorServiceOpening').select('id').where('itemId', '=', id).limit(1).executeTakeFirst();
  if (row.state !== 'DRAFT' || opened) throw refuse(doctorErrors.ITEM_USED);
  await moveState(ctx, itemMachine, { targetType: ITEM_TARGET, targetId: id, targetNo: row.itemCode, action: 'delete', from: row.state });
  await useFile(ctx, { ownerType: ITEM_TARGET, ownerId: id, field: 'cover', before: row.coverFileId, after: null });
  await useFile(ctx, { ownerType: ITEM_TARGET, ownerId: id, field: 'agreement', before: row.agreementFileId, after: null });
  await ownTx(ctx.tx).deleteFrom('doctorServiceItem').where('id', '=', id).execute();
  return {};
});

/** Puts an item on a place of a category, its own or another one. */
export const sortItem = command(sortServiceItem, async ({ id, version, categoryId, index }, ctx) => {
  await lockKeys(ctx.tx, ['serviceItem']);
  const row = await lockItem(ctx, id, version);
  const category = await ownTx(ctx.tx)
    .selectFrom('doctorServiceCategory')
    .select(['name', 'state'])
    .where('id', '=', categoryId)
    .executeTakeFirst();
  if (!category) throw refuse(platformErrors.NOT_FOUND);
  if (categoryId !== row.categoryId && category.state !== 'ENABLED') throw refuseField('categoryId', '该分类已停用，请选择其他分类');
  const siblings = await ownTx(ctx.tx)
    .selectFrom('doctorServiceItem')
    .select('id')
    .where('categoryId', '=', categoryId)
    .orderBy('sort')
    .orderBy('id')
    .execute();
  await ownTx(ctx.tx)
    .updateTable('doctorServiceItem')
    .set((eb) => ({ categoryId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  for (const [position, sibling] of arrangeAmong(
    siblings.map((other) => other.id),
    id,
    index,
  ).entries()) {
    await ownTx(ctx.tx)
      .updateTable('doctorServiceItem')
      .set({ sort: position + 1 })
      .where('id', '=', sibling)
      .where('sort', '<>', position + 1)
      .execute();
  }
  await moveState(ctx, itemMachine, {
    targetType: ITEM_TARGET,
    targetId: id,
    targetNo: row.itemCode,
    action: 'modify',
    from: row.state,
    differences: [
      {
        path: 'sort',
        label: '位置',
        before: `${row.categoryName}第${row.sort}位`,
        after: `${category.name}第${Math.min(index, siblings.length) + 1}位`,
      },
    ],
  });
  return actionAnswer(ctx, itemMachine, { id, state: row.state, version: version + 1 });
});

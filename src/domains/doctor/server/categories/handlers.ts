import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  addInquiryServiceCategory,
  delInquiryServiceCategory,
  modifyInquiryServiceCategory,
  queryInquiryServiceCategoryList,
  sortInquiryServiceCategory,
  type CategoryNode,
} from '../../contract/calls/categories.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { lockKeys, ownTx } from '../database.ts';
import { arrangeAmong } from './arrange.ts';
import { allCategories, categoryNode } from './rows.ts';

const TARGET = 'doctor.serviceCategory';
const LAST = 1_000_000;
const MAX_DEPTH = 2;
const labels = { name: '分类名称', icon: '图标', visibleTo: '可见范围', state: '状态' };

/** Nobody else rearranges the tree until the transaction ends. */
const lockTree = (ctx: CommandContext) => lockKeys(ctx.tx, ['serviceCategory']);

async function lockNode(ctx: CommandContext, id: string, version: number): Promise<CategoryNode> {
  await lockTree(ctx);
  const node = await categoryNode(ownTx(ctx.tx), id);
  if (!node) throw refuse(platformErrors.NOT_FOUND);
  const { updatedBy } = await ownTx(ctx.tx)
    .selectFrom('doctorServiceCategory')
    .select('updatedBy')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await requireVersion(ctx, TARGET, { ...node, updatedBy }, version, () => node);
  return node;
}

/** A category that may get another below it. */
async function requireParent(ctx: CommandContext, parentId: string): Promise<void> {
  const parent = await categoryNode(ownTx(ctx.tx), parentId);
  if (!parent) throw refuse(platformErrors.NOT_FOUND);
  if (parent.depth >= MAX_DEPTH) throw refuseField('parentId', '问诊服务分类最多两级');
}

async function requireFreeName(ctx: CommandContext, parentId: string | null, name: string, except: string | null): Promise<void> {
  const same = await ownTx(ctx.tx)
    .selectFrom('doctorServiceCategory')
    .select('id')
    .where('name', '=', name)
    .where('parentId', 'is not distinct from', parentId)
    .where('id', 'is distinct from', except)
    .executeTakeFirst();
  if (same) throw refuseField('name', '同级分类名称重复');
}

const siblingsOf = async (ctx: CommandContext, parentId: string | null) =>
  (
    await ownTx(ctx.tx)
      .selectFrom('doctorServiceCategory')
      .select('id')
      .where('parentId', 'is not distinct from', parentId)
      .orderBy('sort')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

/** Puts a node on its place among its siblings and numbers them anew. */
async function place(ctx: CommandContext, parentId: string | null, id: string, index: number): Promise<void> {
  for (const [position, sibling] of arrangeAmong(await siblingsOf(ctx, parentId), id, index).entries()) {
    await ownTx(ctx.tx)
      .updateTable('doctorServiceCategory')
      .set({ sort: position + 1 })
      .where('id', '=', sibling)
      .where('sort', '<>', position + 1)
      .execute();
  }
}

const add = command(addInquiryServiceCategory, async ({ parentId, name, icon, visibleTo, index }, ctx) => {
  await lockTree(ctx);
  if (parentId !== null) await requireParent(ctx, parentId);
  await requireFreeName(ctx, parentId, name, null);
  const code = await nextSerial(ctx.tx, 'WF', 4);
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorServiceCategory')
    .values({ code, parentId, depth: parentId === null ? 1 : MAX_DEPTH, name, icon, sort: LAST, visibleTo, ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await place(ctx, parentId, id, index ?? LAST);
  ctx.target({ type: TARGET, id, no: code });
  ctx.changed([{ path: 'name', label: labels.name, before: null, after: name }]);
  return (await categoryNode(ownTx(ctx.tx), id))!;
});

const modify = command(modifyInquiryServiceCategory, async ({ id, version, ...fields }, ctx) => {
  const before = await lockNode(ctx, id, version);
  await requireFreeName(ctx, before.parentId, fields.name, id);
  await ownTx(ctx.tx)
    .updateTable('doctorServiceCategory')
    .set((eb) => ({ ...fields, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  ctx.target({ type: TARGET, id, no: before.code });
  ctx.changed(differencesOf(before, fields, labels));
  return (await categoryNode(ownTx(ctx.tx), id))!;
});

const sort = command(sortInquiryServiceCategory, async ({ id, version, parentId, index }, ctx) => {
  const before = await lockNode(ctx, id, version);
  if (parentId !== before.parentId) {
    if (parentId === id) throw refuseField('parentId', '不能移动到自身之下');
    if (parentId !== null) {
      await requireParent(ctx, parentId);
      if ((await siblingsOf(ctx, id)).length > 0) throw refuseField('parentId', '该分类有下级，不能移动到其他分类之下');
    }
    await requireFreeName(ctx, parentId, before.name, id);
  }
  await ownTx(ctx.tx)
    .updateTable('doctorServiceCategory')
    .set((eb) => ({ parentId, depth: parentId === null ? 1 : MAX_DEPTH, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await place(ctx, parentId, id, index);
  const after = (await categoryNode(ownTx(ctx.tx), id))!;
  ctx.target({ type: TARGET, id, no: before.code });
  ctx.changed(differencesOf(before, after, { parentId: '上级分类', sort: '位置' }));
  return after;
});

const remove = command(delInquiryServiceCategory, async ({ id, version }, ctx) => {
  const before = await lockNode(ctx, id, version);
  if (before.itemCount > 0) throw refuse(doctorErrors.CATEGORY_USED, { n: before.itemCount });
  if ((await siblingsOf(ctx, id)).length > 0) throw refuseField('id', '请先删除或移走下级分类');
  await ownTx(ctx.tx).deleteFrom('doctorServiceCategory').where('id', '=', id).execute();
  ctx.target({ type: TARGET, id, no: before.code });
  ctx.changed([{ path: 'name', label: labels.name, before: before.name, after: null }]);
  return {};
});

export const categoryHandlers: readonly Handler[] = [
  query(queryInquiryServiceCategoryList, (_input, ctx) => allCategories(ctx.db)),
  add,
  modify,
  sort,
  remove,
];

import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CategoryNode } from '../../contract/calls/categories.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  addDrugCategory,
  delDrugCategory,
  mergeDrugCategory,
  modifyDrugCategory,
  moveDrugCategory,
} from '../../contract/calls/categories.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { categoryRecords } from '../access.ts';
import { ownTx } from '../database.ts';
import { MAX_DEPTH, arrange, requireFreeName, rewritePaths } from './categoryTree.ts';
import { categoryById } from './categoryRows.ts';

const LAST = 1_000_000;
const labels = { name: '分类名称', icon: '图标', state: '状态' };

/** A node of a tree that nobody else rearranges meanwhile. */
async function lockNode(ctx: CommandContext, id: string, version: number | null) {
  const seen = await ownTx(ctx.tx).selectFrom('pharmaCategory').select('kind').where('id', '=', id).executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND);
  await lockKeys(ctx.tx, 'pharma.category', [seen.kind]);
  const stored = await categoryRecords.lock(ctx.tx, ctx.staff, id);
  if (version !== null) await requireVersion(ctx, 'pharma.category', stored, version, async () => (await categoryById(ownTx(ctx.tx), id))!);
  return stored;
}

/** A node that may get children: no medicine stands on it, and it is not on the last level. */
async function requireBranch(ctx: CommandContext, parentId: string, kind: CategoryNode['kind']) {
  const parent = await categoryRecords.lock(ctx.tx, ctx.staff, parentId);
  if (parent.kind !== kind) throw refuse(platformErrors.NOT_FOUND);
  if (parent.depth >= MAX_DEPTH) throw refuse(pharmaErrors.CATEGORY_DEPTH);
  const medicine = await ownTx(ctx.tx)
    .selectFrom('pharmaMedicine')
    .select('id')
    .where('categoryId', '=', parentId)
    .where('state', '<>', 'VOID')
    .limit(1)
    .executeTakeFirst();
  if (medicine) throw refuseField('parentId', '该分类下已有药品，请先移动药品再增加下级');
  return parent;
}

const note = (ctx: CommandContext, node: { id: string; code: string }) =>
  ctx.target({ type: 'pharma.category', id: node.id, no: node.code });

export const addCategory = command(addDrugCategory, async ({ kind, parentId = null, name, icon, index }, ctx) => {
  const tx = ownTx(ctx.tx);
  await lockKeys(ctx.tx, 'pharma.category', [kind]);
  const parent = parentId === null ? null : await requireBranch(ctx, parentId, kind);
  await requireFreeName(tx, { kind, parentId }, name, null);
  const code = await nextSerial(ctx.tx, 'FL', 4);
  const { id } = await tx
    .insertInto('pharmaCategory')
    .values({
      parentId,
      code,
      path: '',
      depth: parent === null ? 1 : parent.depth + 1,
      name,
      icon: icon ?? null,
      sort: LAST,
      kind,
      state: 'ENABLED',
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('pharmaCategory')
    .set({ path: parent === null ? id : `${parent.path}.${id}` })
    .where('id', '=', id)
    .execute();
  await arrange(tx, { kind, parentId }, id, index ?? LAST, updatedColumns(ctx));
  note(ctx, { id, code });
  ctx.changed([{ path: 'name', label: '分类名称', before: null, after: name }]);
  return (await categoryById(tx, id))!;
});

export const modifyCategory = command(modifyDrugCategory, async ({ id, version, name, icon, state }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lockNode(ctx, id, version);
  await requireFreeName(tx, stored, name, id);
  const before = (await categoryById(tx, id))!;
  await tx
    .updateTable('pharmaCategory')
    .set((eb) => ({
      name,
      ...(icon === undefined ? {} : { icon }),
      ...(state ? { state } : {}),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .execute();
  const after = (await categoryById(tx, id))!;
  note(ctx, after);
  ctx.changed(differencesOf(before, after, labels));
  return after;
});

export const moveCategory = command(moveDrugCategory, async ({ id, version, parentId, index }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lockNode(ctx, id, version);
  const { kind } = stored;
  if (parentId !== stored.parentId) {
    const target = parentId === null ? null : await categoryRecords.lock(ctx.tx, ctx.staff, parentId);
    if (target && (target.id === id || target.path.startsWith(`${stored.path}.`))) throw refuse(pharmaErrors.CATEGORY_BELOW);
    const parent = parentId === null ? null : await requireBranch(ctx, parentId, kind);
    await requireFreeName(tx, { kind, parentId }, stored.name, id);
    await rewritePaths(tx, stored, parent);
  }
  await arrange(tx, { kind, parentId }, id, index, updatedColumns(ctx), true);
  note(ctx, stored);
  ctx.changed([
    { path: 'parentId', label: '上级分类', before: stored.parentId, after: parentId },
    { path: 'sort', label: '位置', before: stored.sort, after: index + 1 },
  ]);
  return (await categoryById(tx, id))!;
});

export const removeCategory = command(delDrugCategory, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lockNode(ctx, id, version);
  const medicine = await tx
    .selectFrom('pharmaMedicine')
    .select('id')
    .where('categoryId', '=', id)
    .where('state', '<>', 'VOID')
    .limit(1)
    .executeTakeFirst();
  const child = await tx.selectFrom('pharmaCategory').select('id').where('parentId', '=', id).limit(1).executeTakeFirst();
  if (medicine || child) throw refuse(pharmaErrors.CATEGORY_IN_USE);
  // What is void stands in no tree.
  await tx.updateTable('pharmaMedicine').set({ categoryId: null }).where('categoryId', '=', id).execute();
  await tx.deleteFrom('pharmaCategory').where('id', '=', id).execute();
  note(ctx, stored);
  ctx.changed([{ path: 'name', label: '分类名称', before: stored.name, after: null }]);
  return {};
});

export const mergeCategory = command(mergeDrugCategory, async ({ id, version, targetId }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lockNode(ctx, id, version);
  const target = await categoryRecords.lock(ctx.tx, ctx.staff, targetId);
  if (target.kind !== stored.kind) throw refuse(platformErrors.NOT_FOUND);
  if (target.id === id || target.path.startsWith(`${stored.path}.`)) throw refuse(pharmaErrors.CATEGORY_BELOW);
  const children = await tx.selectFrom('pharmaCategory').selectAll().where('parentId', '=', id).orderBy('sort').execute();
  const medicines = await tx.selectFrom('pharmaMedicine').select('id').where('categoryId', '=', id).execute();
  const targetHasChild = await tx
    .selectFrom('pharmaCategory')
    .select('id')
    .where('parentId', '=', targetId)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  if (medicines.length > 0 && (targetHasChild || children.length > 0))
    throw refuseField('targetId', '目标分类有下级，不能直接放药品，请选择末级分类');
  if (children.length > 0) await requireBranch(ctx, targetId, stored.kind);
  for (const child of children) {
    await requireFreeName(tx, { kind: stored.kind, parentId: targetId }, child.name, child.id);
    await rewritePaths(tx, child, target);
    await arrange(tx, { kind: stored.kind, parentId: targetId }, child.id, LAST, updatedColumns(ctx));
  }
  await tx
    .updateTable('pharmaMedicine')
    .set((eb) => ({ categoryId: targetId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('categoryId', '=', id)
    .execute();
  await tx.deleteFrom('pharmaCategory').where('id', '=', id).execute();
  await tx
    .updateTable('pharmaCategory')
    .set((eb) => ({ version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', targetId)
    .execute();
  note(ctx, target);
  ctx.changed([
    {
      path: 'merged',
      label: '合并分类',
      before: `${stored.name}（药品${medicines.length}个，下级${children.length}个）`,
      after: target.name,
    },
  ]);
  return (await categoryById(tx, targetId))!;
});

import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse, refuseField, platformErrors } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { getProductLines } from '#domains/pharma/server/index.ts';
import { addServiceItem, itemLabels, modifyServiceItem } from '../../contract/calls/items.ts';
import { itemMachine } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { json, lockKeys, own, ownTx } from '../database.ts';
import { republishItem } from './republish.ts';
import { itemFacts } from './facts.ts';
import { ITEM_TARGET, useFile } from './files.ts';
import { itemById } from './rows.ts';

type Facts = ReturnType<typeof itemFacts>;

const items = recordOf((db) => own(db).selectFrom('doctorServiceItem as i').selectAll('i')).with({
  noun: '记录',
  type: ITEM_TARGET,
  id: 'i.id',
  scope: unscoped,
});

/** One item, locked until the transaction ends. @throws Refusal SCM90040, SCM90030 */
export async function lockItem(ctx: CommandContext, id: string, version: number) {
  const shown = async () => (await itemById(ctx.tx, id, ctx.now))!;
  await items.lockVersion(ctx, id, version, shown);
  return shown();
}

async function requireReferences(
  ctx: CommandContext,
  facts: Facts,
  before: { categoryId: string; productLineId: string | null } | null,
): Promise<void> {
  if (facts.categoryId !== before?.categoryId) {
    const category = await ownTx(ctx.tx)
      .selectFrom('doctorServiceCategory')
      .select('state')
      .where('id', '=', facts.categoryId)
      .executeTakeFirst();
    if (!category) throw refuse(platformErrors.NOT_FOUND);
    if (category.state !== 'ENABLED') throw refuseField('categoryId', '该分类已停用，请选择其他分类');
  }
  if (
    facts.productLineId !== null &&
    facts.productLineId !== before?.productLineId &&
    (await getProductLines(ctx.tx, [facts.productLineId])).length === 0
  )
    throw refuse(platformErrors.NOT_FOUND);
}

async function requireFree(
  ctx: CommandContext,
  { name, itemCode }: { name: string; itemCode: string | null },
  except: string | null,
): Promise<void> {
  await lockKeys(ctx.tx, ['serviceItem']);
  const same = await ownTx(ctx.tx)
    .selectFrom('doctorServiceItem')
    .select(['name', 'itemCode'])
    .where('id', 'is distinct from', except)
    .where((eb) => eb.or([eb('name', '=', name), ...(itemCode === null ? [] : [eb('itemCode', '=', itemCode)])]))
    .executeTakeFirst();
  if (same) throw same.name === name ? refuseField('name', '服务名称已存在') : refuseField('itemCode', '项目编码已存在');
}

const columnsOf = ({ priceBands, ...facts }: Facts) => ({ ...facts, priceBands: json(priceBands) });

export const addItem = command(addServiceItem, async ({ itemCode, ...given }, ctx) => {
  const facts = itemFacts(given);
  await requireFree(ctx, { name: facts.name, itemCode }, null);
  await requireReferences(ctx, facts, null);
  const last = await ownTx(ctx.tx)
    .selectFrom('doctorServiceItem')
    .select((eb) => eb.fn.max('sort').as('sort'))
    .where('categoryId', '=', facts.categoryId)
    .executeTakeFirst();
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorServiceItem')
    .values({
      itemCode,
      ...columnsOf(facts),
      agreementVersion: facts.agreementFileId === null ? 0 : 1,
      sort: (last?.sort ?? 0) + 1,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await useFile(ctx, { ownerType: ITEM_TARGET, ownerId: id, field: 'cover', before: null, after: facts.coverFileId });
  await useFile(ctx, { ownerType: ITEM_TARGET, ownerId: id, field: 'agreement', before: null, after: facts.agreementFileId });
  const state = await moveState(ctx, itemMachine, {
    targetType: ITEM_TARGET,
    targetId: id,
    targetNo: itemCode,
    action: 'add',
    from: 'DRAFT',
  });
  return actionAnswer(ctx, itemMachine, { id, state, version: 1 });
});

export const modifyItem = command(modifyServiceItem, async ({ id, version, ...given }, ctx) => {
  const before = await lockItem(ctx, id, version);
  const facts = itemFacts(given);
  // Openings and orders rest on these.
  if (before.state !== 'DRAFT') {
    if (facts.itemType !== before.itemType) throw refuseField('itemType', '已上架过的项目不能修改服务类型');
    if (facts.careKind !== before.careKind) throw refuseField('careKind', '已上架过的项目不能修改服务性质');
    if (facts.billing !== before.billing) throw refuseField('billing', '已上架过的项目不能修改计费方式');
  }
  await requireFree(ctx, { name: facts.name, itemCode: null }, id);
  await requireReferences(ctx, facts, before);
  const renewed = facts.agreementFileId !== before.agreementFileId && facts.agreementFileId !== null;
  const last =
    facts.categoryId === before.categoryId
      ? null
      : await ownTx(ctx.tx)
          .selectFrom('doctorServiceItem')
          .select((eb) => eb.fn.max('sort').as('sort'))
          .where('categoryId', '=', facts.categoryId)
          .executeTakeFirst();
  await ownTx(ctx.tx)
    .updateTable('doctorServiceItem')
    .set((eb) => ({
      ...columnsOf(facts),
      ...(last && { sort: (last.sort ?? 0) + 1 }),
      agreementVersion: before.agreementVersion + (renewed ? 1 : 0),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .execute();
  await useFile(ctx, { ownerType: ITEM_TARGET, ownerId: id, field: 'cover', before: before.coverFileId, after: facts.coverFileId });
  await useFile(ctx, {
    ownerType: ITEM_TARGET,
    ownerId: id,
    field: 'agreement',
    before: before.agreementFileId,
    after: facts.agreementFileId,
  });
  const state = await moveState(ctx, itemMachine, {
    targetType: ITEM_TARGET,
    targetId: id,
    targetNo: before.itemCode,
    action: 'modify',
    from: before.state,
    differences: differencesOf(before, facts, itemLabels),
  });
  if (facts.name !== before.name) await republishItem(ctx, id);
  return actionAnswer(ctx, itemMachine, { id, state, version: before.version + 1 });
});

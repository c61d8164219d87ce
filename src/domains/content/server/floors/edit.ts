import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import { differencesOf } from '../../../../kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import { command } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { addFloor, copyFloor, delFloor, modifyFloor, sortFloor } from '../../contract/floors/calls.ts';
import { clientTypeOf, type PageCode } from '../../contract/floors/clientPages.ts';
import { allowedTypes, holdsItems, itemTypeOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorErrors } from '../../contract/floors/errors.ts';
import { iconsFit, MOST_FLOORS } from '../../contract/floors/rules.ts';
import { floorLabels } from '../../contract/floors/shape.ts';
import { ownTx } from '../database.ts';
import { typeOf } from '../marks/objects.ts';
import { lockDraft, lockFloor, touchDraft } from './layout.ts';

type Facts = Omit<CheckedInputOf<typeof modifyFloor>, 'id' | 'version'>;

const inOrder = (from: string | null, to: string | null) => from === null || to === null || Date.parse(to) > Date.parse(from);

/** What the schema of one field cannot hold. */
function checkFacts(type: FloorType, facts: Facts): void {
  if (!inOrder(facts.startAt, facts.endAt)) throw refuseField('endAt', '结束时间须晚于开始时间');
  if (!holdsItems(type) && facts.items.length > 0) throw refuseField('items', '该类型楼层的内容由投放提供');
  if (!iconsFit(type, facts.items.length)) throw refuse(floorErrors.ICON_COUNT);
  const named = itemTypeOf(type) !== null;
  for (const [index, item] of facts.items.entries()) {
    if (!inOrder(item.startAt, item.endAt)) throw refuseField(`items.${index}.endAt`, '结束时间须晚于开始时间');
    if (!named && item.objectNo !== '') throw refuseField(`items.${index}.objectNo`, '该类型楼层不选择对象');
    if (!named && item.title === '') throw refuseField(`items.${index}.title`, '请输入标题');
    if (named && item.objectNo === '') throw refuseField(`items.${index}.objectNo`, '请输入对象编号');
  }
}

/** The facts as they are stored; items of medicines and doctors name such that the editor sees. */
async function storable(kernel: Kernel, ctx: CommandContext, type: FloorType, { items, ...facts }: Facts) {
  checkFacts(type, { items, ...facts });
  const objectType = itemTypeOf(type);
  const idOf = new Map<string, string>();
  if (objectType !== null) {
    const numbers = items.map(({ objectNo }) => objectNo);
    const found = await typeOf(kernel, objectType).numbered(ctx.tx, ctx.staff, numbers, ctx.now);
    for (const { no, id } of found) idOf.set(no, id);
    const missing = numbers.findIndex((no) => !idOf.has(no));
    if (missing >= 0) throw refuseField(`items.${missing}.objectNo`, '对象不存在');
  }
  return { ...facts, items: JSON.stringify(items.map((item) => ({ ...item, objectId: idOf.get(item.objectNo) ?? null }))) };
}

async function requireRoom(ctx: CommandContext, pageCode: PageCode): Promise<void> {
  const { n } = await ownTx(ctx.tx)
    .selectFrom('contentFloor')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('pageCode', '=', pageCode)
    .executeTakeFirstOrThrow();
  if (Number(n) >= MOST_FLOORS) throw refuse(floorErrors.TOO_MANY_FLOORS);
}

export const floorEdits = (kernel: Kernel) => [
  command(addFloor, async ({ pageCode, version: seen, floorType, ...facts }, ctx) => {
    const layout = await lockDraft(ctx, pageCode, seen);
    if (!allowedTypes(clientTypeOf(pageCode)).includes(floorType)) throw refuseField('floorType', '该页面不支持此类楼层');
    await requireRoom(ctx, pageCode);
    const stored = await storable(kernel, ctx, floorType, facts);
    const version = await touchDraft(ctx, layout);
    const { id } = await ownTx(ctx.tx)
      .insertInto('contentFloor')
      .values({
        floorKey: randomUUID(),
        pageCode,
        floorType,
        ...stored,
        sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from content_floor where page_code = ${pageCode})`,
        changedIn: version,
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.changed(differencesOf({}, facts, floorLabels));
    return { id, version };
  }),

  command(modifyFloor, async ({ id, version: seen, ...facts }, ctx) => {
    const { layout, floor } = await lockFloor(ctx, id, seen);
    const stored = await storable(kernel, ctx, floor.floorType, facts);
    const version = await touchDraft(ctx, layout);
    await ownTx(ctx.tx)
      .updateTable('contentFloor')
      .set({ ...stored, changedIn: version, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    ctx.changed(differencesOf(floor, facts, floorLabels));
    return { id, version };
  }),

  /** The copy stands right below its original. */
  command(copyFloor, async ({ id: originalId, version: seen }, ctx) => {
    const { layout, floor } = await lockFloor(ctx, originalId, seen);
    await requireRoom(ctx, layout.pageCode);
    const version = await touchDraft(ctx, layout);
    const tx = ownTx(ctx.tx);
    await tx
      .updateTable('contentFloor')
      .set((eb) => ({ sortNo: eb('sortNo', '+', 1) }))
      .where('pageCode', '=', layout.pageCode)
      .where('sortNo', '>', floor.sortNo)
      .execute();
    const { id: _id, items, ...rest } = floor;
    const { id } = await tx
      .insertInto('contentFloor')
      .values({
        ...rest,
        items: JSON.stringify(items),
        floorKey: randomUUID(),
        sortNo: floor.sortNo + 1,
        changedIn: version,
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.changed([{ path: 'floorName', label: floorLabels.floorName, before: null, after: floor.floorName }]);
    return { id, version };
  }),

  command(delFloor, async ({ id, version: seen }, ctx) => {
    const { layout, floor } = await lockFloor(ctx, id, seen);
    const version = await touchDraft(ctx, layout);
    await ownTx(ctx.tx).deleteFrom('contentFloor').where('id', '=', id).execute();
    ctx.changed([{ path: 'floorName', label: floorLabels.floorName, before: floor.floorName, after: null }]);
    return { id, version };
  }),

  command(sortFloor, async ({ pageCode, version: seen, ids }, ctx) => {
    const layout = await lockDraft(ctx, pageCode, seen);
    const tx = ownTx(ctx.tx);
    const known = new Set(
      (await tx.selectFrom('contentFloor').select('id').where('pageCode', '=', pageCode).execute()).map(({ id }) => id),
    );
    if (ids.some((id) => !known.has(id))) throw refuse(platformErrors.NOT_FOUND, { message: '楼层不存在或已删除' });
    if (new Set(ids).size !== known.size || ids.length !== known.size) throw refuseField('ids', '请包含页面的全部楼层');
    const version = await touchDraft(ctx, layout);
    await sql`update content_floor f set sort_no = array_position(${ids}::bigint[], f.id),
        changed_in = case when f.sort_no = array_position(${ids}::bigint[], f.id) then f.changed_in else ${version}::int end
      where f.page_code = ${pageCode}`.execute(ctx.tx);
    return { version };
  }),
];

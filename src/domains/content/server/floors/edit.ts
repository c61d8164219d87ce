import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { CONTENT_IMAGE } from '../../contract/delivery/files.ts';
import { addFloor, copyFloor, delFloor, modifyFloor, restorePageLayout, sortFloor } from '../../contract/floors/calls.ts';
import { clientTypeOf, type PageCode } from '../../contract/floors/clientPages.ts';
import { allowedTypes, holdsItems, itemTypeOf, sortsOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorErrors } from '../../contract/floors/errors.ts';
import { iconsFit, MOST_FLOORS } from '../../contract/floors/rules.ts';
import { floorLabels, type FloorRule } from '../../contract/floors/shape.ts';
import { ownTx } from '../database.ts';
import { storedAudience } from '../delivery/checks.ts';
import { typeOf } from '../marks/objects.ts';
import { LAYOUT_TARGET, lockDraft, lockFloor, touchDraft } from './layout.ts';

type Facts = Omit<CheckedInputOf<typeof modifyFloor>, 'id' | 'version'>;

const inOrder = (from: string | null, to: string | null) => from === null || to === null || Date.parse(to) > Date.parse(from);

function checkRule(type: FloorType, { dataMode, rule, items }: Facts, at: string): void {
  if (dataMode === 'MANUAL') {
    if (rule !== null) throw refuseField(`${at}rule`, '手工选择时不填写规则');
    return;
  }
  if (itemTypeOf(type) === null) throw refuseField(`${at}dataMode`, '该类型楼层只能手工选择');
  if (items.length > 0) throw refuseField(`${at}items`, '按规则选择时不填写内容');
  if (rule === null || rule.marksAny.length + rule.marksAll.length === 0) throw refuseField(`${at}rule.marksAny`, '请选择标签');
  if (!sortsOf(type).includes(rule.sort)) throw refuseField(`${at}rule.sort`, '该类型楼层不能这样排序');
}

/** What the schema of one field cannot hold; `at` is where the floor stands in the input. */
function checkFacts(type: FloorType, facts: Facts, at: string): void {
  if (!inOrder(facts.startAt, facts.endAt)) throw refuseField(`${at}endAt`, '结束时间须晚于开始时间');
  if (!holdsItems(type) && facts.items.length > 0) throw refuseField(`${at}items`, '该类型楼层的内容由投放提供');
  if (!iconsFit(type, facts.items.length)) throw refuse(floorErrors.ICON_COUNT);
  checkRule(type, facts, at);
  const named = itemTypeOf(type) !== null;
  for (const [index, item] of facts.items.entries()) {
    const place = `${at}items.${index}`;
    if (!inOrder(item.startAt, item.endAt)) throw refuseField(`${place}.endAt`, '结束时间须晚于开始时间');
    if (!named && item.objectNo !== '') throw refuseField(`${place}.objectNo`, '该类型楼层不选择对象');
    if (!named && item.title === '') throw refuseField(`${place}.title`, '请输入标题');
    if (named && item.objectNo === '') throw refuseField(`${place}.objectNo`, '请输入对象编号');
  }
}

async function checkRuleMarks(ctx: CommandContext, type: FloorType, rule: FloorRule, at: string): Promise<void> {
  const ids = [...new Set([...rule.marksAny, ...rule.marksAll])];
  const known = await ownTx(ctx.tx)
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select('m.id')
    .where('m.id', 'in', ids)
    .where('g.objectType', '=', itemTypeOf(type) ?? 'MEDICINE')
    .execute();
  if (known.length < ids.length) throw refuseField(`${at}rule.marksAny`, '标签不存在或不适用于该楼层');
}

/** The facts as they are stored; items of medicines and doctors name such that the editor sees. */
async function storable(kernel: Kernel, ctx: CommandContext, pageCode: PageCode, type: FloorType, input: Facts, at = '') {
  checkFacts(type, input, at);
  const { items, rule, audience, ...facts } = input;
  if (rule) await checkRuleMarks(ctx, type, rule, at);
  const objectType = itemTypeOf(type);
  const idOf = new Map<string, string>();
  if (objectType !== null) {
    const numbers = items.map(({ objectNo }) => objectNo);
    const found = await typeOf(kernel, objectType).numbered(ctx.tx, ctx.staff, numbers, ctx.now);
    for (const { no, id } of found) idOf.set(no, id);
    const missing = numbers.findIndex((no) => !idOf.has(no));
    if (missing >= 0) throw refuseField(`${at}items.${missing}.objectNo`, '对象不存在');
  }
  return {
    ...facts,
    rule: rule === null ? null : JSON.stringify(rule),
    audience: JSON.stringify(await storedAudience(kernel, ctx, audience, clientTypeOf(pageCode), `${at}audience`)),
    items: JSON.stringify(items.map((item) => ({ ...item, objectId: idOf.get(item.objectNo) ?? null }))),
  };
}

/** Pictures stay with the page: its releases show them for as long as they are kept. */
const keepPictures = (ctx: CommandContext, layoutId: string, floors: readonly Pick<Facts, 'items'>[]) =>
  attachAll(
    ctx.tx,
    [
      {
        fileIds: [...new Set(floors.flatMap(({ items }) => items.flatMap(({ imageFileId }) => imageFileId ?? [])))],
        purpose: CONTENT_IMAGE,
        ownerType: LAYOUT_TARGET,
        ownerId: layoutId,
        field: 'items',
        userId: ctx.staff.userId,
      },
    ],
    ctx.now,
  );

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
    const stored = await storable(kernel, ctx, pageCode, floorType, facts);
    await keepPictures(ctx, layout.id, [facts]);
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
    const stored = await storable(kernel, ctx, layout.pageCode, floor.floorType, facts);
    await keepPictures(ctx, layout.id, [facts]);
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
    const { id: _id, items, rule, audience, ...rest } = floor;
    const { id } = await tx
      .insertInto('contentFloor')
      .values({
        ...rest,
        items: JSON.stringify(items),
        rule: rule === null ? null : JSON.stringify(rule),
        audience: JSON.stringify(audience),
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

  command(restorePageLayout, async ({ pageCode, version: seen, floors }, ctx) => {
    const layout = await lockDraft(ctx, pageCode, seen);
    const tx = ownTx(ctx.tx);
    const keys = floors.map(({ floorKey }) => floorKey);
    if (new Set(keys).size < keys.length) throw refuseField('floors', '楼层重复');
    const elsewhere =
      keys.length > 0 &&
      (await tx.selectFrom('contentFloor').select('id').where('floorKey', 'in', keys).where('pageCode', '<>', pageCode).execute());
    if (elsewhere && elsewhere.length > 0) throw refuseField('floors', '楼层属于其他页面');
    const rows = [];
    for (const [place, { floorKey, floorType, ...facts }] of floors.entries()) {
      if (!allowedTypes(clientTypeOf(pageCode)).includes(floorType)) throw refuseField(`floors.${place}.floorType`, '该页面不支持此类楼层');
      rows.push({
        floorKey,
        floorType,
        ...(await storable(kernel, ctx, pageCode, floorType, facts, `floors.${place}.`)),
        sortNo: place + 1,
      });
    }
    await keepPictures(ctx, layout.id, floors);
    const before = await tx.selectFrom('contentFloor').select('floorName').where('pageCode', '=', pageCode).orderBy('sortNo').execute();
    const version = await touchDraft(ctx, layout);
    await tx.deleteFrom('contentFloor').where('pageCode', '=', pageCode).execute();
    if (rows.length > 0)
      await tx
        .insertInto('contentFloor')
        .values(rows.map((row) => ({ ...row, pageCode, changedIn: version, ...createdColumns(ctx) })))
        .execute();
    const names = (all: readonly { floorName: string }[]) => all.map(({ floorName }) => floorName).join('、');
    ctx.changed([{ path: 'floors', label: '楼层', before: names(before), after: names(floors) }]);
    return { version };
  }),
];

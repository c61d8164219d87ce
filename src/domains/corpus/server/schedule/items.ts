import { type Selectable, sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { timeSlots } from '#kernel/contract/time.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { targetsOf, type ChatFlag, type SendTarget } from '../../contract/dictionaries.ts';
import { corpusErrors } from '../../contract/errors.ts';
import {
  addSchedule,
  delSchedule,
  modifySchedule,
  queryScheduleList,
  type ScheduleRow,
  sortSchedule,
} from '../../contract/scheduleCalls.ts';
import { checkRows } from '../conditions/sets.ts';
import { requireItemMaterials } from '../materials/named.ts';
import { accessPackage, lockPackage } from '../access.ts';
import { type CorpusDb, type CorpusTx, own, ownTx } from '../database.ts';
import type { CorpusScheduleItem } from '../tables.ts';

const columns = [
  'id',
  'itemKey',
  'scenePackageId',
  'dayOffset',
  'sendTime',
  'target',
  'touchKind',
  'materialIds',
  'itemConditions',
  'createTask',
  'sortNo',
  'version',
  'updatedAt',
] as const;

type Stored = Pick<Selectable<CorpusScheduleItem>, (typeof columns)[number]>;

const present = (row: Stored): ScheduleRow => ({
  ...row,
  itemConditions: row.itemConditions as ScheduleRow['itemConditions'],
  createTask: row.createTask as ScheduleRow['createTask'],
});

/** The draft's schedule, by day and time. */
export const scheduleList = listOf(queryScheduleList)
  .from(async ({ db, filter: { scenePackageId } }) => {
    await accessPackage(own(db), { scenePackageId });
    return own(db).selectFrom('corpusScheduleItem as i');
  })
  .with({
    where: { scenePackageId: 'i.scenePackageId' },
    id: 'i.id',
    unsorted: 'an axis of days',
    order: [
      ['i.dayOffset', 'asc'],
      ['i.sendTime', 'asc'],
    ],
    select: (query) => query.select(columns.map((column) => `i.${column}` as const)),
    present: (rows) => rows.map(present),
  });

async function scheduleItemsByIds(db: CorpusDb, ids: readonly string[]): Promise<ScheduleRow[]> {
  const rows = await db
    .selectFrom('corpusScheduleItem')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('dayOffset')
    .orderBy('sendTime')
    .orderBy('id')
    .execute();
  return rows.map(present);
}

function requireDayOffset(dayOffset: number): void {
  if (!Number.isInteger(dayOffset) || dayOffset < 0 || dayOffset > 365) throw refuse(corpusErrors.DAY_OFFSET);
}

export function requireSlot(sendTime: string): void {
  if (!timeSlots.includes(sendTime)) throw refuse(corpusErrors.SLOT);
}

/** A scene of group chats sends to groups alone, one of single chats to single chats alone. */
export function requireTarget(scene: { chatFlag: number }, target: SendTarget): void {
  if (!targetsOf[scene.chatFlag as ChatFlag].includes(target)) throw refuseField('target', '该场景的标签不支持此发送对象');
}

const labels = {
  dayOffset: '天数',
  sendTime: '发送时间',
  target: '发送到',
  touchKind: '内容类型',
  materialIds: '素材',
  itemConditions: '附加条件',
  createTask: '生成任务',
};

/** One item of a living scene, under the lock of its disease. */
async function lockItem(ctx: CommandContext, id: string) {
  const tx = ownTx(ctx.tx);
  const place = await tx.selectFrom('corpusScheduleItem').select(['scenePackageId', 'updatedBy']).where('id', '=', id).executeTakeFirst();
  if (!place) throw refuse(platformErrors.NOT_FOUND);
  const scene = await lockPackage(ctx.tx, { scenePackageId: place.scenePackageId });
  const [item] = await scheduleItemsByIds(tx, [id]);
  if (!item) throw refuse(platformErrors.NOT_FOUND);
  return { scene, item, updatedBy: place.updatedBy };
}

/** @throws Refusal SCM11062 when another item of the package has the slot. */
async function requireFreeSlot(tx: CorpusTx, slot: { scenePackageId: string; dayOffset: number; sendTime: string }, except: string | null) {
  let query = tx
    .selectFrom('corpusScheduleItem')
    .select('id')
    .where('scenePackageId', '=', slot.scenePackageId)
    .where('dayOffset', '=', slot.dayOffset)
    .where('sendTime', '=', slot.sendTime);
  if (except !== null) query = query.where('id', '<>', except);
  if (await query.executeTakeFirst()) throw refuse(corpusErrors.SLOT_TAKEN);
}

const noteScene = (ctx: CommandContext, scene: { id: string; name: string }) =>
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });

export const addScheduleItem = command(addSchedule, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  requireDayOffset(input.dayOffset);
  requireSlot(input.sendTime);
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId });
  requireTarget(scene, input.target);
  const materialIds = input.materialIds ?? [];
  await requireItemMaterials(tx, materialIds);
  const { rows } = await checkRows(tx, scene.scenePackageId, input.itemConditions ?? []);
  await requireFreeSlot(tx, input, null);
  const { id } = await tx
    .insertInto('corpusScheduleItem')
    .values({
      itemKey: sql<string>`gen_random_uuid()`,
      scenePackageId: scene.scenePackageId,
      dayOffset: input.dayOffset,
      sendTime: input.sendTime,
      target: input.target,
      touchKind: input.touchKind,
      materialIds,
      itemConditions: JSON.stringify(rows),
      createTask: input.createTask ? JSON.stringify(input.createTask) : null,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [item] = await scheduleItemsByIds(tx, [id]);
  noteScene(ctx, scene);
  ctx.changed(differencesOf({}, item!, labels));
  return item!;
});

export const modifyScheduleItem = command(modifySchedule, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  requireDayOffset(input.dayOffset);
  requireSlot(input.sendTime);
  const { scene, item, updatedBy } = await lockItem(ctx, input.id);
  await requireVersion(ctx, 'corpus.scene', { id: item.id, version: item.version, updatedBy }, input.version, () => item);
  requireTarget(scene, input.target);
  const materialIds = input.materialIds ?? item.materialIds;
  await requireItemMaterials(tx, materialIds);
  const rows =
    input.itemConditions === undefined ? item.itemConditions : (await checkRows(tx, scene.scenePackageId, input.itemConditions)).rows;
  await requireFreeSlot(tx, { ...input, scenePackageId: scene.scenePackageId }, item.id);
  await tx
    .updateTable('corpusScheduleItem')
    .set((eb) => ({
      dayOffset: input.dayOffset,
      sendTime: input.sendTime,
      target: input.target,
      touchKind: input.touchKind,
      materialIds,
      itemConditions: JSON.stringify(rows),
      ...(input.createTask !== undefined && { createTask: input.createTask && JSON.stringify(input.createTask) }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', item.id)
    .execute();
  const [after] = await scheduleItemsByIds(tx, [item.id]);
  noteScene(ctx, scene);
  ctx.changed(differencesOf(item, after!, labels));
  return after!;
});

export const removeScheduleItem = command(delSchedule, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const { scene, item, updatedBy } = await lockItem(ctx, input.id);
  await requireVersion(ctx, 'corpus.scene', { id: item.id, version: item.version, updatedBy }, input.version, () => item);
  await tx.deleteFrom('corpusScheduleItem').where('id', '=', item.id).execute();
  noteScene(ctx, scene);
  ctx.changed([{ path: 'schedule', label: '日程', before: `第${item.dayOffset}天 ${item.sendTime}`, after: null }]);
  return {};
});

/** Refuses when two items of the package would meet on one slot after the moves. */
async function requireDistinctSlots(tx: CorpusTx, scenePackageId: string, moved: ReadonlyMap<string, number>): Promise<void> {
  const all = await tx
    .selectFrom('corpusScheduleItem')
    .select(['id', 'dayOffset', 'sendTime'])
    .where('scenePackageId', '=', scenePackageId)
    .execute();
  const slots = new Set(all.map((item) => `${moved.get(item.id) ?? item.dayOffset} ${item.sendTime}`));
  if (slots.size < all.length) throw refuse(corpusErrors.SLOT_TAKEN);
}

export const moveScheduleItems = command(sortSchedule, async (input, ctx): Promise<ScheduleRow[]> => {
  const tx = ownTx(ctx.tx);
  for (const { dayOffset } of input.dataDetail) requireDayOffset(dayOffset);
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId });
  const moved = new Map(input.dataDetail.map((row) => [row.id, row.dayOffset]));
  const items = await tx
    .selectFrom('corpusScheduleItem')
    .select(['id', 'dayOffset', 'sendTime', 'version', 'updatedBy'])
    .where('scenePackageId', '=', scene.scenePackageId)
    .where('id', 'in', [...moved.keys()])
    .execute();
  if (items.length < moved.size) throw refuse(platformErrors.NOT_FOUND);
  const seen = new Map(input.dataDetail.map((row) => [row.id, row.version]));
  for (const { updatedBy, ...item } of items) {
    await requireVersion(ctx, 'corpus.scene', { id: item.id, version: item.version, updatedBy }, seen.get(item.id)!, () => item);
  }
  await requireDistinctSlots(tx, scene.scenePackageId, moved);
  await sql`
    update corpus_schedule_item i
      set day_offset = m.day_offset, version = i.version + 1, updated_at = ${ctx.now}, updated_by = ${ctx.staff.userId}
      from unnest(${[...moved.keys()]}::bigint[], ${[...moved.values()]}::int[]) as m (id, day_offset)
      where i.id = m.id`.execute(tx);
  noteScene(ctx, scene);
  ctx.changed(
    items.map((item) => ({
      path: `schedule.${item.id}`,
      label: `日程 ${item.sendTime}`,
      before: `第${item.dayOffset}天`,
      after: `第${moved.get(item.id)}天`,
    })),
  );
  return scheduleItemsByIds(tx, [...moved.keys()]);
});

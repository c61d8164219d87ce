import type { Selectable } from 'kysely';
import { refuse, refuseField } from '../../../kernel/contract/errors.ts';
import { timeSlots } from '../../../kernel/contract/time.ts';
import { listOf } from '../../../kernel/server/list/listOf.ts';
import { targetsOf, type ChatFlag, type SendTarget } from '../contract/dictionaries.ts';
import { corpusErrors } from '../contract/errors.ts';
import { queryScheduleList, type ScheduleRow } from '../contract/scheduleCalls.ts';
import { accessPackage } from './access.ts';
import { own, type CorpusDb } from './database.ts';
import type { CorpusScheduleItem } from './tables.ts';

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

export async function scheduleItemsByIds(db: CorpusDb, ids: readonly string[]): Promise<ScheduleRow[]> {
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

export function requireDayOffset(dayOffset: number): void {
  if (!Number.isInteger(dayOffset) || dayOffset < 0 || dayOffset > 365) throw refuse(corpusErrors.DAY_OFFSET);
}

export function requireSlot(sendTime: string): void {
  if (!timeSlots.includes(sendTime)) throw refuse(corpusErrors.SLOT);
}

/** A scene of group chats sends to groups alone, one of single chats to single chats alone. */
export function requireTarget(scene: { chatFlag: number }, target: SendTarget): void {
  if (!targetsOf[scene.chatFlag as ChatFlag].includes(target)) throw refuseField('target', '该场景的标签不支持此发送对象');
}

import type { Selectable } from 'kysely';
import type { Page } from '../../../kernel/contract/call.ts';
import { refuse, refuseField } from '../../../kernel/contract/errors.ts';
import { timeSlots } from '../../../kernel/contract/time.ts';
import { offsetOf, totalUpTo } from '../../../kernel/server/http/paging.ts';
import { targetsOf, type ChatFlag, type SendTarget } from '../contract/dictionaries.ts';
import { corpusErrors } from '../contract/errors.ts';
import type { ScheduleRow } from '../contract/scheduleCalls.ts';
import type { CorpusDb } from './database.ts';
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

const inOrder = (db: CorpusDb) =>
  db.selectFrom('corpusScheduleItem').select(columns).orderBy('dayOffset').orderBy('sendTime').orderBy('id');

/** The draft's schedule, by day and time. */
export async function listSchedule(
  db: CorpusDb,
  scenePackageId: string,
  paging: { pageNo: number; pageSize: number },
): Promise<Page<ScheduleRow>> {
  const rows = await inOrder(db).where('scenePackageId', '=', scenePackageId).limit(paging.pageSize).offset(offsetOf(paging)).execute();
  const matching = db.selectFrom('corpusScheduleItem').select('id').where('scenePackageId', '=', scenePackageId);
  return { rows: rows.map(present), total: await totalUpTo(db, matching) };
}

export async function scheduleItemsByIds(db: CorpusDb, ids: readonly string[]): Promise<ScheduleRow[]> {
  return (await inOrder(db).where('id', 'in', ids).execute()).map(present);
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

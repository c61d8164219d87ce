import type { Db } from '../../../kernel/server/context.ts';
import type { Instant } from '../../../kernel/contract/time.ts';
import { dayOf, plusDays } from '../../../kernel/contract/time.ts';
import { restDaysBetween } from '../../identity/server/index.ts';
import { avoiding, planCycle } from '../contract/plan.ts';
import type { CycleAnswer, CycleRow } from '../contract/scheduleCalls.ts';
import { own } from './database.ts';

const columns = [
  'id',
  'scenePackageId',
  'timeOption',
  'sendTime',
  'age',
  'playMode',
  'materialIds',
  'target',
  'touchKind',
  'version',
  'updatedAt',
  'updatedBy',
] as const;

/** Longest cycle (30 days), moved by the longest holidays, fits in. */
const PREVIEW_DAYS = 60;

/** The draft's cycle; null when it has none. */
export async function loadCycle(db: Db, scenePackageId: string) {
  const row = await own(db)
    .selectFrom('corpusPackageCycle')
    .select(columns)
    .where('scenePackageId', '=', scenePackageId)
    .executeTakeFirst();
  if (!row) return null;
  const { updatedBy, ...rest } = row;
  const cycle: CycleRow = { ...rest, age: rest.age ?? '' };
  return { cycle, updatedBy };
}

/** The cycle with the days on which a patient who enters now would be touched. */
export async function answerCycle(db: Db, scenePackageId: string, now: Instant): Promise<CycleAnswer> {
  const stored = await loadCycle(db, scenePackageId);
  const { calendarMode } = await own(db)
    .selectFrom('corpusScenePackage')
    .select('calendarMode')
    .where('id', '=', scenePackageId)
    .executeTakeFirstOrThrow();
  const today = dayOf(now);
  const restDays = calendarMode === 'WORKDAY' ? await restDaysBetween(db, today, plusDays(today, PREVIEW_DAYS)) : [];
  if (!stored) return { cycle: null, previewDays: [], restDays };
  const { timeOption, sendTime, age } = stored.cycle;
  const entry = { enteredAt: now, shiftDays: 0, usableDay: avoiding(new Set(restDays)) };
  return {
    cycle: stored.cycle,
    previewDays: planCycle(entry, { timeOption, sendTime, age: age === '' ? null : age }).map((touch) => touch.day),
    restDays,
  };
}

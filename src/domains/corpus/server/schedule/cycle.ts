import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db } from '#kernel/server/context.ts';
import { type Instant, dayOf, plusDays } from '#kernel/contract/time.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { restDaysBetween } from '#domains/identity/server/index.ts';
import { avoiding, planCycle } from '../../contract/plan.ts';
import { addOrModifyPackageCycle, type CycleAnswer, type CycleRow, delPackageCycle } from '../../contract/scheduleCalls.ts';
import { lockPackage } from '../access.ts';
import { requireCycleMaterials } from '../materials/named.ts';
import { own, ownTx } from '../database.ts';
import { requireSlot, requireTarget } from './items.ts';

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
async function loadCycle(db: Db, scenePackageId: string) {
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

const labels = {
  timeOption: '时间',
  sendTime: '发送时间',
  age: '日龄',
  playMode: '轮播方式',
  materialIds: '素材',
  target: '发送到',
  touchKind: '内容类型',
};

/** Writes the one cycle of a package. */
export const saveCycle = command(addOrModifyPackageCycle, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  requireSlot(input.sendTime);
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId });
  requireTarget(scene, input.target);
  const before = await loadCycle(ctx.tx, scene.scenePackageId);
  await requireVersion(
    ctx,
    'corpus.scene',
    { id: before?.cycle.id ?? '', version: before?.cycle.version ?? 0, updatedBy: before?.updatedBy ?? null },
    input.version ?? null,
    () => before?.cycle ?? {},
  );
  const { version: _, scenePackageId: __, materialIds = before?.cycle.materialIds ?? [], ...rest } = input;
  await requireCycleMaterials(tx, input.playMode, materialIds);
  const fields = { ...rest, materialIds };
  if (before) {
    await tx
      .updateTable('corpusPackageCycle')
      .set((eb) => ({ ...fields, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', before.cycle.id)
      .execute();
  } else {
    await tx
      .insertInto('corpusPackageCycle')
      .values({ ...fields, scenePackageId: scene.scenePackageId, ...createdColumns(ctx) })
      .execute();
  }
  const answer = await answerCycle(ctx.tx, scene.scenePackageId, ctx.now);
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed(differencesOf(before?.cycle ?? {}, answer.cycle!, labels));
  return answer;
});

export const removeCycle = command(delPackageCycle, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId });
  const stored = await loadCycle(ctx.tx, scene.scenePackageId);
  if (!stored) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(
    ctx,
    'corpus.scene',
    { id: stored.cycle.id, version: stored.cycle.version, updatedBy: stored.updatedBy },
    input.version ?? null,
    () => stored.cycle,
  );
  await tx.deleteFrom('corpusPackageCycle').where('id', '=', stored.cycle.id).execute();
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed([{ path: 'cycle', label: '周期', before: stored.cycle.sendTime, after: null }]);
  return {};
});

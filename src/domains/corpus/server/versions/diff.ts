import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import { query } from '#kernel/server/handler.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { queryPackageVersionDiff, type VersionDifference } from '../../contract/engine/versionCalls.ts';
import { materialsOf, type FrozenRow, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { DEFAULT_AGE_LABEL, playMode, roleLabels, sendTarget, timeOption, touchKind } from '../../contract/dictionaries.ts';
import { policyLabels, type Policy } from '../../contract/scenePackageCalls.ts';
import { createTaskText } from '../../contract/tasks/createTask.ts';
import { policyText } from '../../contract/policyTexts.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { sendables } from '../engine/materials.ts';
import { snapshotsOf } from '../engine/published.ts';
import { draftSnapshot } from './draft.ts';
import { countMigration } from './migration.ts';

type Titles = (id: string) => string;
/** Parts of a snapshot as lines of text under a key that both versions share. */
type Lines = ReadonlyMap<string, { part: VersionDifference['part']; label: string; text: string }>;

const rowText = (row: FrozenRow): string =>
  `${roleLabels[row.role]}.${row.variableName} ${operatorLabel[row.operatorValue]} ${row.conditionValue}${row.checked === 0 ? '（不生效）' : ''}`;

/** Groups are joined with 或, rows of a group with 且. */
const rowsText = (rows: readonly FrozenRow[]): string =>
  [...Map.groupBy(rows, ({ groupNo }) => groupNo).values()].map((group) => group.map(rowText).join(' 且 ')).join(' 或 ') || '无';

function linesOf(snapshot: PackageSnapshot, title: Titles): Lines {
  const lines = new Map<string, { part: VersionDifference['part']; label: string; text: string }>();
  const materials = (ids: readonly string[]) => (ids.length === 0 ? '无素材' : ids.map(title).join('、'));
  for (const name of Object.keys(policyLabels) as (keyof Policy)[])
    lines.set(`policy.${name}`, { part: 'policy', label: policyLabels[name], text: policyText(name, snapshot.policy[name]) });
  lines.set('launch', { part: 'launch', label: '启动条件', text: rowsText(snapshot.launch) });
  lines.set('stop', { part: 'stop', label: '停止条件', text: rowsText(snapshot.stop) });
  if (snapshot.mainLaunch) lines.set('mainLaunch', { part: 'mainLaunch', label: '主场景启动条件', text: rowsText(snapshot.mainLaunch) });
  for (const item of snapshot.schedule)
    lines.set(`item.${item.itemKey}`, {
      part: 'schedule',
      label: `第${item.dayOffset}天日程`,
      text: [
        `第${item.dayOffset}天`,
        item.sendTime,
        touchKind.label(item.touchKind),
        sendTarget.label(item.target),
        materials(item.materialIds),
        ...(item.itemConditions.length > 0 ? [`条件：${rowsText(item.itemConditions)}`] : []),
        ...(item.createTask ? [`任务：${createTaskText(item.createTask)}`] : []),
      ].join(' '),
    });
  const { cycle } = snapshot;
  if (cycle)
    lines.set('cycle', {
      part: 'cycle',
      label: '周期',
      text: [
        timeOption.label(cycle.timeOption),
        cycle.sendTime,
        cycle.age === null ? DEFAULT_AGE_LABEL : `前${cycle.age}天`,
        playMode.label(cycle.playMode),
        touchKind.label(cycle.touchKind),
        sendTarget.label(cycle.target),
        materials(cycle.materialIds),
      ].join(' '),
    });
  return lines;
}

/** What one version says and the other does not, part by part. */
export function differencesBetween(before: PackageSnapshot | null, after: PackageSnapshot, title: Titles): VersionDifference[] {
  const old: Lines = before ? linesOf(before, title) : new Map();
  const fresh = linesOf(after, title);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), fresh.get(key)];
    if (was?.text === is?.text) return [];
    const { part, label } = is ?? was!;
    return [{ part, label, before: was?.text ?? null, after: is?.text ?? null }];
  });
}

/** A frozen version of this package. @throws Refusal SCM90040 for one of another package */
async function versionOf(db: Db, scenePackageId: string, versionId: string): Promise<PackageSnapshot> {
  const row = await own(db)
    .selectFrom('corpusPackageVersion')
    .select('id')
    .where('id', '=', versionId)
    .where('scenePackageId', '=', scenePackageId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return (await snapshotsOf(db, [versionId])).get(versionId)!;
}

export const versionDiff = query(queryPackageVersionDiff, async ({ scenePackageId, from, to }, ctx) => {
  await accessPackage(own(ctx.db), { scenePackageId });
  const before = from === undefined ? null : await versionOf(ctx.db, scenePackageId, from);
  const after = to === undefined ? await draftSnapshot(own(ctx.db), scenePackageId) : await versionOf(ctx.db, scenePackageId, to);
  const materials = await sendables(ctx.db, [...(before ? materialsOf(before) : []), ...materialsOf(after)]);
  return {
    differences: differencesBetween(before, after, (id) => materials.get(id)?.title ?? `编号${id}`),
    migration: before === null ? null : await countMigration(ctx.db, scenePackageId, after, ctx.now),
  };
});

import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { corpusSceneChanged } from '#events/corpus.ts';
import type { ChatFlag } from '../../contract/dictionaries.ts';
import { modifySceneName, type ChildSceneRow, type SceneRow } from '../../contract/sceneCalls.ts';
import { accessScene, diseaseRecords, type SceneRecord } from '../access.ts';
import { type CorpusTx, ownTx } from '../database.ts';
import { insertScenes, type InsertedScene } from './add.ts';
import { requireFreeNames, requireName } from './names.ts';
import { childrenByIds, scenesByIds } from './list.ts';

interface Writer {
  now: Instant;
  by: string | null;
}

/** Copies policy, conditions, schedule and cycle of a package; items get keys of their own. */
async function copyDraft(tx: CorpusTx, from: string, to: string, { now, by }: Writer): Promise<void> {
  await sql`
    update corpus_scene_package t set
      entry_mode = f.entry_mode, reentry = f.reentry, reentry_days = f.reentry_days, priority = f.priority,
      pause_on_patient_reply = f.pause_on_patient_reply, pause_on_doctor_reply = f.pause_on_doctor_reply,
      pause_hours = f.pause_hours, resume_mode = f.resume_mode, max_delay_hours = f.max_delay_hours,
      active_guard_min = f.active_guard_min, recheck_launch = f.recheck_launch, calendar_mode = f.calendar_mode,
      goal = f.goal, goal_window_days = f.goal_window_days, end_after_days = f.end_after_days, child_exclusive = f.child_exclusive
    from corpus_scene_package f where f.id = ${from} and t.id = ${to}`.execute(tx);
  await sql`
    insert into corpus_condition_set (scene_package_id, exp_type, created_at, created_by, updated_at, updated_by)
    select ${to}, exp_type, ${now}, ${by}, ${now}, ${by} from corpus_condition_set where scene_package_id = ${from}`.execute(tx);
  await sql`
    insert into corpus_scene_condition
      (
        condition_set_id, disease_id, group_no, sort_no, role, variable_id, variable_name, operator_value, condition_value, checked,
        created_at, created_by
      )
    select fresh.id, c.disease_id, c.group_no, c.sort_no, c.role, c.variable_id, c.variable_name, c.operator_value, c.condition_value,
      c.checked, ${now}, ${by}
    from corpus_scene_condition c
    join corpus_condition_set old on old.id = c.condition_set_id and old.scene_package_id = ${from}
    join corpus_condition_set fresh on fresh.scene_package_id = ${to} and fresh.exp_type = old.exp_type`.execute(tx);
  await sql`
    insert into corpus_schedule_item
      (
        item_key, scene_package_id, day_offset, send_time, target, touch_kind, material_ids, item_conditions, create_task, sort_no,
        created_at, created_by, updated_at, updated_by
      )
    select gen_random_uuid(), ${to}, day_offset, send_time, target, touch_kind, material_ids, item_conditions, create_task, sort_no, ${now},
      ${by}, ${now}, ${by}
    from corpus_schedule_item where scene_package_id = ${from}`.execute(tx);
  await sql`
    insert into corpus_package_cycle
      (
        scene_package_id, time_option, send_time, age, play_mode, material_ids, target, touch_kind, created_at, created_by, updated_at,
        updated_by
      )
    select ${to}, time_option, send_time, age, play_mode, material_ids, target, touch_kind, ${now}, ${by}, ${now}, ${by}
    from corpus_package_cycle where scene_package_id = ${from}`.execute(tx);
}

/**
 * Copies a scene under a new name, a main scene with its children; versions and runs are not copied.
 * @returns the copy first, then its children
 */
async function copyScene(tx: CorpusTx, scene: SceneRecord, name: string, stamp: Writer): Promise<InsertedScene[]> {
  const place = { diseaseId: scene.diseaseId, ...stamp };
  const [copy] = await insertScenes(tx, { ...place, mainSceneId: scene.mainSceneId }, [
    { name, chatFlag: scene.chatFlag, copiedFromId: scene.id },
  ]);
  await copyDraft(tx, scene.scenePackageId, copy!.scenePackageId, stamp);
  const children = await tx
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .select(['s.id', 's.name', 's.chatFlag', 'p.id as scenePackageId'])
    .where('s.mainSceneId', '=', scene.id)
    .where('s.deletedAt', 'is', null)
    .orderBy('s.sortNo')
    .execute();
  if (children.length === 0) return [copy!];
  const copies = await insertScenes(
    tx,
    { ...place, mainSceneId: copy!.id },
    children.map((child) => ({ name: child.name, chatFlag: child.chatFlag, copiedFromId: child.id })),
  );
  for (const [index, child] of children.entries()) {
    await copyDraft(tx, child.scenePackageId, copies[index]!.scenePackageId, stamp);
  }
  return [copy!, ...copies];
}

const publishScene = (
  ctx: CommandContext,
  scene: SceneRecord,
  made: { id: string; name: string; chatFlag: ChatFlag },
  state: SceneRow['state'],
) =>
  ctx.publish(corpusSceneChanged, made.id, {
    sceneId: made.id,
    sceneName: made.name,
    diseaseId: scene.diseaseId,
    diseaseName: scene.diseaseName,
    chatFlag: made.chatFlag,
    state,
  });

async function rename(ctx: CommandContext, scene: SceneRecord, name: string): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('corpusScene')
    .set((eb) => ({ name, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', scene.id)
    .execute();
  ctx.target({ type: 'corpus.scene', id: scene.id, no: name });
  ctx.changed([{ path: 'sceneName', label: '场景名称', before: scene.name, after: name }]);
  await publishScene(ctx, scene, { id: scene.id, name, chatFlag: scene.chatFlag }, scene.state);
}

async function copy(ctx: CommandContext, scene: SceneRecord, name: string): Promise<string> {
  const copies = await copyScene(ownTx(ctx.tx), scene, name, { now: ctx.now, by: ctx.staff.userId });
  for (const made of copies) {
    ctx.target({ type: 'corpus.scene', id: made.id, no: made.name });
    await publishScene(ctx, scene, made, 'UNPUBLISHED');
  }
  ctx.changed([{ path: 'copiedFrom', label: '复制自', before: null, after: scene.name }]);
  return copies[0]!.id;
}

/** Renames a scene, or with `corpusInfoLogo` 1 saves a copy of it under the name. */
export const renameScene = command(modifySceneName, async (input, ctx): Promise<SceneRow | ChildSceneRow> => {
  requireName(input.sceneName);
  const tx = ownTx(ctx.tx);
  await diseaseRecords.lock(ctx.tx, ctx.staff, input.diseaseId);
  const scene = await accessScene(tx, { sceneId: input.id, diseaseId: input.diseaseId });
  const asCopy = input.corpusInfoLogo === 1;
  await requireVersion(ctx, 'corpus.scene', scene, ctx.ifMatch, () => ({ sceneName: scene.name, updatedAt: scene.updatedAt }));
  await requireFreeNames(tx, scene, [input.sceneName], asCopy ? null : scene.id);
  const id = asCopy ? await copy(ctx, scene, input.sceneName) : (await rename(ctx, scene, input.sceneName), scene.id);
  const [row] = scene.mainSceneId === null ? await scenesByIds(tx, [id]) : await childrenByIds(tx, [id]);
  return row!;
});

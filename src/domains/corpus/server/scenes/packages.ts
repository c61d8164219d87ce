import { refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { modifyScenePackagePolicy, policyLabels, type Policy, type ScenePackage } from '../../contract/scenePackageCalls.ts';
import { boxesOf } from '../../contract/wire.ts';
import { accessPackage, lockPackage } from '../access.ts';
import { ownTx, type CorpusDb } from '../database.ts';

const policyFields = Object.keys(policyLabels) as (keyof Policy)[];

const stored = (db: CorpusDb, scenePackageId: string) =>
  db.selectFrom('corpusScenePackage').selectAll().where('id', '=', scenePackageId).executeTakeFirstOrThrow();

export const policyOf = (row: Awaited<ReturnType<typeof stored>>): Policy =>
  // coded values are checked by the table's constraints
  Object.fromEntries(policyFields.map((field) => [field, row[field]])) as Policy;

/** The package with its scene and the draft of its policy. */
export async function loadScenePackage(db: CorpusDb, scenePackageId: string): Promise<ScenePackage> {
  const scene = await accessPackage(db, { scenePackageId });
  const row = await stored(db, scenePackageId);
  const main =
    scene.mainSceneId === null
      ? null
      : await db.selectFrom('corpusScene').select('name').where('id', '=', scene.mainSceneId).executeTakeFirstOrThrow();
  return {
    scenePackageId,
    state: row.state,
    version: row.version,
    sceneId: scene.id,
    sceneName: scene.name,
    diseaseId: scene.diseaseId,
    diseaseName: scene.diseaseName,
    mainSceneId: scene.mainSceneId ?? '',
    mainSceneName: main?.name ?? '',
    chatFlag: scene.chatFlag,
    ...boxesOf(scene.chatFlag),
    draft: policyOf(row),
    updatedAt: row.updatedAt,
  };
}

export const savePolicy = command(modifyScenePackagePolicy, async (input, ctx) => {
  const { scenePackageId, version, ...policy } = input;
  const tx = ownTx(ctx.tx);
  const scene = await lockPackage(ctx.tx, { scenePackageId });
  const before = await stored(tx, scenePackageId);
  await requireVersion(ctx, 'corpus.scene', before, version, () => policyOf(before));
  if (policy.childExclusive && scene.mainSceneId !== null) throw refuseField('childExclusive', '只有主场景可以设置子场景互斥');
  if (policy.reentry === 'AFTER_DAYS' && policy.reentryDays === null) throw refuseField('reentryDays', '请填写重复进入间隔天数');
  await tx
    .updateTable('corpusScenePackage')
    .set((eb) => ({
      ...policy,
      reentryDays: policy.reentry === 'AFTER_DAYS' ? policy.reentryDays : null,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', scenePackageId)
    .execute();
  const after = await loadScenePackage(tx, scenePackageId);
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed(differencesOf(policyOf(before), after.draft, policyLabels));
  return after;
});

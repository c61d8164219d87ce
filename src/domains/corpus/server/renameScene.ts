import { command } from '../../../kernel/server/handler.ts';
import type { CommandContext } from '../../../kernel/server/context.ts';
import { requireVersion } from '../../../kernel/server/record/requireVersion.ts';
import { updatedColumns } from '../../../kernel/server/command/stampedColumns.ts';
import { corpusSceneChanged } from '../../../events/corpus.ts';
import type { ChatFlag } from '../contract/dictionaries.ts';
import { modifySceneName, type ChildSceneRow, type SceneRow } from '../contract/sceneCalls.ts';
import { accessScene, diseaseRecords, type SceneRecord } from './access.ts';
import { copyScene } from './copyScene.ts';
import { ownTx } from './database.ts';
import { requireFreeNames, requireName } from './sceneNames.ts';
import { childrenByIds, scenesByIds } from './scenes.ts';

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

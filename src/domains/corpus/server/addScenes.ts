import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import type { CommandContext } from '../../../kernel/server/context.ts';
import { command } from '../../../kernel/server/handler.ts';
import { corpusSceneChanged } from '../../../events/corpus.ts';
import { addChildScene, addScene } from '../contract/sceneCalls.ts';
import { accessScene, diseaseRecords } from './access.ts';
import { ownTx } from './database.ts';
import { insertScenes } from './insertScenes.ts';
import { checkNewScenes, requireFreeNames, type NewScene } from './sceneNames.ts';
import { childrenByIds, scenesByIds } from './scenes.ts';

/** Writes checked rows under a locked disease, all or none, and names them to the log and the other domains. */
async function add(
  ctx: CommandContext,
  disease: { id: string; diseaseName: string },
  mainSceneId: string | null,
  rows: readonly NewScene[],
): Promise<string[]> {
  const tx = ownTx(ctx.tx);
  await requireFreeNames(
    tx,
    { diseaseId: disease.id, mainSceneId },
    rows.map((row) => row.name),
  );
  const made = await insertScenes(tx, { diseaseId: disease.id, mainSceneId, now: ctx.now, by: ctx.staff.userId }, rows);
  for (const { id, name, chatFlag } of made) {
    ctx.target({ type: 'corpus.scene', id, no: name });
    await ctx.publish(corpusSceneChanged, id, {
      sceneId: id,
      sceneName: name,
      diseaseId: disease.id,
      diseaseName: disease.diseaseName,
      chatFlag,
      state: 'UNPUBLISHED',
    });
  }
  return made.map((scene) => scene.id);
}

export const addMainScenes = command(addScene, async (input, ctx) => {
  const rows = checkNewScenes(input.dataDetail.map(({ sceneName, ...row }) => ({ name: sceneName, ...row })));
  const disease = await diseaseRecords.lock(ctx.tx, ctx.staff, input.diseaseId);
  return scenesByIds(ownTx(ctx.tx), await add(ctx, disease, null, rows));
});

export const addChildScenes = command(addChildScene, async (input, ctx) => {
  const rows = checkNewScenes(input.dataDetail.map(({ childSceneName, ...row }) => ({ name: childSceneName, ...row })));
  const tx = ownTx(ctx.tx);
  const disease = await diseaseRecords.lock(ctx.tx, ctx.staff, input.diseaseId);
  const main = await accessScene(tx, { sceneId: input.mainSceneId, diseaseId: disease.id });
  if (main.mainSceneId !== null) throw refuse(platformErrors.NOT_FOUND);
  return childrenByIds(tx, await add(ctx, disease, main.id, rows));
});

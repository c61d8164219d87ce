import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { command } from '../../../kernel/server/handler.ts';
import { requireVersion } from '../../../kernel/server/record/requireVersion.ts';
import { corpusErrors } from '../contract/errors.ts';
import { delScene } from '../contract/sceneCalls.ts';
import { accessScene, diseaseRecords } from './access.ts';
import { ownTx } from './database.ts';
import { countLive } from './livePackages.ts';
import { markDeleted } from './markDeleted.ts';

/** Marks a scene deleted, a main scene with its children. */
export const removeScene = command(delScene, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const disease = await diseaseRecords.lock(ctx.tx, ctx.staff, input.diseaseid);
  const scene = await accessScene(tx, { sceneId: input.id, diseaseId: disease.id });
  if ((scene.mainSceneId === null ? 1 : 2) !== input.sign) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, 'corpus.scene', scene, ctx.ifMatch, () => ({ sceneName: scene.name, updatedAt: scene.updatedAt }));
  // nobody can be on the way through a scene before the sending engine exists
  if ((await countLive(tx, { sceneId: scene.id })) > 0) throw refuse(corpusErrors.SCENE_RUNNING, { n: 0 });
  const deleted = await markDeleted(ctx, disease, (query) =>
    query.where((eb) => eb.or([eb('id', '=', scene.id), eb('mainSceneId', '=', scene.id)])),
  );
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed([{ path: 'deleted', label: '删除的场景数', before: deleted, after: 0 }]);
  return {};
});

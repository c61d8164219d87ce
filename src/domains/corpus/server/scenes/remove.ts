import { sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import { corpusSceneChanged } from '#events/corpus.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { delScene } from '../../contract/sceneCalls.ts';
import type { CorpusTables } from '../tables.ts';
import { accessScene, diseaseRecords } from '../access.ts';
import { type CorpusTx, ownTx } from '../database.ts';

/** Packages that send, or may be told to go on sending: their scenes must be taken offline before they are deleted. */
const LIVE = ['RUNNING', 'SUSPENDED'] as const;

/** Number of such scenes of a disease, or among a main scene and its children. */
export async function countLive(tx: CorpusTx, of: { diseaseId: string } | { sceneId: string }): Promise<number> {
  const { n } = await tx
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('s.deletedAt', 'is', null)
    .where('p.state', 'in', LIVE)
    .where((eb) =>
      'diseaseId' in of ? eb('s.diseaseId', '=', of.diseaseId) : eb.or([eb('s.id', '=', of.sceneId), eb('s.mainSceneId', '=', of.sceneId)]),
    )
    .executeTakeFirstOrThrow();
  return n;
}

type SceneUpdate = UpdateQueryBuilder<Pick<CorpusTables, keyof CorpusTables>, 'corpusScene', 'corpusScene', UpdateResult>;

/**
 * Marks scenes of a disease deleted and tells the other domains; the rows stay readable for timelines.
 * @param which narrows the scenes; the disease is locked by the caller
 * @returns how many were deleted
 */
export async function markDeleted(
  ctx: CommandContext,
  disease: { id: string; diseaseName: string },
  which: (query: SceneUpdate) => SceneUpdate,
): Promise<number> {
  const update = ownTx(ctx.tx)
    .updateTable('corpusScene')
    .set((eb) => ({ deletedAt: ctx.now, deletedBy: ctx.staff.userId, version: eb('version', '+', 1) }))
    .where('diseaseId', '=', disease.id)
    .where('deletedAt', 'is', null);
  const deleted = await which(update).returning(['id', 'name', 'chatFlag']).execute();
  for (const scene of deleted) {
    await ctx.publish(corpusSceneChanged, scene.id, {
      sceneId: scene.id,
      sceneName: scene.name,
      diseaseId: disease.id,
      diseaseName: disease.diseaseName,
      chatFlag: scene.chatFlag,
      state: 'DELETED',
    });
  }
  return deleted.length;
}

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

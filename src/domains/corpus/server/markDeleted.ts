import type { UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { CommandContext } from '../../../kernel/server/context.ts';
import { corpusSceneChanged } from '../../../events/corpus.ts';
import { ownTx } from './database.ts';
import type { CorpusTables } from './tables.ts';

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

import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { corpusSceneChanged } from '#events/corpus.ts';
import type { ChatFlag } from '../../contract/dictionaries.ts';
import { addChildScene, addScene } from '../../contract/sceneCalls.ts';
import { accessScene, diseaseRecords } from '../access.ts';
import { type CorpusTx, ownTx } from '../database.ts';
import { checkNewScenes, type NewScene, requireFreeNames } from './names.ts';
import { childrenByIds, scenesByIds } from './list.ts';

export interface InsertedScene {
  id: string;
  name: string;
  chatFlag: ChatFlag;
  scenePackageId: string;
}

/** Writes scenes at the end of their level, each with its package; the disease is locked by the caller. */
export async function insertScenes(
  tx: CorpusTx,
  place: { diseaseId: string; mainSceneId: string | null; now: Instant; by: string | null },
  rows: readonly (NewScene & { copiedFromId?: string })[],
): Promise<InsertedScene[]> {
  const timestamps = { ...createdColumns({ now: place.now, userId: place.by }) };
  const { last } = await tx
    .selectFrom('corpusScene')
    .select(sql<number>`coalesce(max(sort_no), 0)`.as('last'))
    .where('diseaseId', '=', place.diseaseId)
    .executeTakeFirstOrThrow();
  const scenes = await tx
    .insertInto('corpusScene')
    .values(
      rows.map((row, index) => ({
        name: row.name,
        diseaseId: place.diseaseId,
        mainSceneId: place.mainSceneId,
        chatFlag: row.chatFlag,
        copiedFromId: row.copiedFromId ?? null,
        sortNo: last + 1 + index,
        ...timestamps,
      })),
    )
    .returning(['id', 'name', 'chatFlag', 'sortNo'])
    .execute();
  const packages = await tx
    .insertInto('corpusScenePackage')
    .values(scenes.map((scene) => ({ sceneId: scene.id, diseaseId: place.diseaseId, state: 'UNPUBLISHED', ...timestamps })))
    .returning(['id', 'sceneId'])
    .execute();
  const packageOf = new Map(packages.map((row) => [row.sceneId, row.id]));
  return scenes
    .sort((a, b) => a.sortNo - b.sortNo)
    .map((scene) => ({
      id: scene.id,
      name: scene.name,
      chatFlag: scene.chatFlag,
      scenePackageId: packageOf.get(scene.id)!,
    }));
}

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

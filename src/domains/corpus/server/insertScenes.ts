import { sql } from 'kysely';
import type { Instant } from '../../../kernel/contract/time.ts';
import { createdColumns } from '../../../kernel/server/command/stampedColumns.ts';
import type { ChatFlag } from '../contract/dictionaries.ts';
import type { CorpusTx } from './database.ts';
import type { NewScene } from './sceneNames.ts';

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

import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import type { Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own, type CorpusDb } from './database.ts';

/**
 * The functions through which single records are loaded. A record of another disease, a deleted one and one
 * that never was are answered alike. Writers lock the disease first, so that names, deletions and drafts of one
 * disease are written one after another and always in the same order.
 */
const missing = () => refuse(platformErrors.NOT_FOUND);

/** Diseases of the dictionary, also those that are not in the corpus. */
export const dictionaryRecords = recordOf((db) => own(db).selectFrom('corpusDisease as d').selectAll('d')).with({
  type: 'corpus.disease',
  id: 'd.id',
  scope: unscoped,
});

/** Diseases of the corpus. */
export const diseaseRecords = recordOf((db) => own(db).selectFrom('corpusDisease as d').selectAll('d').where('d.available', '=', 1)).with({
  type: 'corpus.disease',
  id: 'd.id',
  scope: unscoped,
});

const scenes = (db: CorpusDb) =>
  db
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .innerJoin('corpusDisease as d', 'd.id', 's.diseaseId')
    .where('s.deletedAt', 'is', null)
    .where('d.available', '=', 1)
    .select([
      's.id',
      's.name',
      's.diseaseId',
      's.mainSceneId',
      's.chatFlag',
      's.sortNo',
      's.version',
      's.updatedAt',
      's.updatedBy',
      'p.id as scenePackageId',
      'p.state',
      'd.diseaseName',
      'd.diseaseCode',
    ]);

export type SceneRecord = Awaited<ReturnType<typeof accessScene>>;

/** A scene or child scene of this disease. */
export async function accessScene(db: CorpusDb, key: { sceneId: string; diseaseId: string }) {
  const row = await scenes(db).where('s.id', '=', key.sceneId).where('s.diseaseId', '=', key.diseaseId).executeTakeFirst();
  if (!row) throw missing();
  return row;
}

/** The scene that a package belongs to; with `diseaseId` it must be a scene of that disease. */
export async function accessPackage(db: CorpusDb, key: { scenePackageId: string; diseaseId?: string }) {
  let query = scenes(db).where('p.id', '=', key.scenePackageId);
  if (key.diseaseId !== undefined) query = query.where('s.diseaseId', '=', key.diseaseId);
  const row = await query.executeTakeFirst();
  if (!row) throw missing();
  return row;
}

/** The same for writing: the disease is locked first and the scene read after it. */
export async function lockPackage(tx: Tx, key: { scenePackageId: string; diseaseId?: string }) {
  const { diseaseId } = await accessPackage(own(tx), key);
  await diseaseRecords.lock(tx, diseaseRecords.everyone, diseaseId);
  return accessPackage(own(tx), { ...key, diseaseId });
}

import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import type { CorpusDb, CorpusTx } from './database.ts';

/**
 * The functions through which single records are loaded. A record of another disease, a deleted one and one
 * that never was are answered alike. Writers lock the disease first, so that names, deletions and drafts of one
 * disease are written one after another and always in the same order.
 */
const missing = () => refuse(platformErrors.NOT_FOUND);

/** A disease of the corpus, locked until the transaction ends. */
export async function lockDisease(tx: CorpusTx, diseaseId: string) {
  const row = await tx
    .selectFrom('corpusDisease')
    .selectAll()
    .where('id', '=', diseaseId)
    .where('available', '=', 1)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

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
export async function lockPackage(tx: CorpusTx, key: { scenePackageId: string; diseaseId?: string }) {
  const { diseaseId } = await accessPackage(tx, key);
  await lockDisease(tx, diseaseId);
  return accessPackage(tx, { ...key, diseaseId });
}

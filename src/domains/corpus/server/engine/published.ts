import type { Db } from '#kernel/server/context.ts';
import { packageSnapshot, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';

/** A version that is in force, with what the engine needs of its package. */
export interface PublishedPackage {
  scenePackageId: string;
  versionId: string;
  sceneId: string;
  sceneName: string;
  diseaseId: string;
  icd10Prefixes: string[];
  snapshot: PackageSnapshot;
}

/** A snapshot as it was frozen. @throws ZodError for one that this program does not know how to read */
export const readSnapshot = (stored: unknown): PackageSnapshot => packageSnapshot.parse(stored);

const KEPT = 500;
/** By the hash of their content, which names it whatever the version: the engine reads the same ones each second. */
const kept = new Map<string, PackageSnapshot>();

function keep(hash: string, stored: unknown): PackageSnapshot {
  const snapshot = readSnapshot(stored);
  if (kept.size >= KEPT) kept.clear();
  kept.set(hash, snapshot);
  return snapshot;
}

const published = (db: Db) =>
  own(db)
    .selectFrom('corpusPackageVersion as v')
    .innerJoin('corpusScenePackage as p', 'p.id', 'v.scenePackageId')
    .innerJoin('corpusScene as s', 's.id', 'p.sceneId')
    .innerJoin('corpusDisease as d', 'd.id', 'p.diseaseId')
    .select([
      'p.id as scenePackageId',
      'v.id as versionId',
      's.id as sceneId',
      's.name as sceneName',
      'd.id as diseaseId',
      'd.icd10Prefixes',
      'v.contentHash',
      'v.snapshot',
    ])
    .where('v.state', '=', 'PUBLISHED');

/** Packages that let patients in now: running, and main scenes before their children in the order of the tree. */
export async function runningPackages(db: Db, scenePackageId?: string): Promise<PublishedPackage[]> {
  let query = published(db).where('p.state', '=', 'RUNNING').where('s.deletedAt', 'is', null);
  if (scenePackageId !== undefined) query = query.where('p.id', '=', scenePackageId);
  const rows = await query
    .orderBy('s.diseaseId')
    .orderBy('s.mainSceneId', (order) => order.asc().nullsFirst())
    .orderBy('s.sortNo')
    .orderBy('s.id')
    .execute();
  return rows.map(({ contentHash, snapshot, ...row }) => ({ ...row, snapshot: kept.get(contentHash) ?? keep(contentHash, snapshot) }));
}

/** Snapshots of versions by their ids; only those that this process has not met are fetched. */
export async function snapshotsOf(db: Db, versionIds: readonly string[]): Promise<ReadonlyMap<string, PackageSnapshot>> {
  if (versionIds.length === 0) return new Map();
  const versions = own(db)
    .selectFrom('corpusPackageVersion')
    .where('id', 'in', [...new Set(versionIds)]);
  const hashes = new Map((await versions.select(['id', 'contentHash']).execute()).map(({ id, contentHash }) => [id, contentHash]));
  const known = new Map([...hashes].map(([id, hash]) => [id, kept.get(hash)]));
  const unknown = [...known].flatMap(([id, snapshot]) => (snapshot === undefined ? [id] : []));
  if (unknown.length > 0)
    for (const { id, snapshot } of await versions.where('id', 'in', unknown).select(['id', 'snapshot']).execute())
      known.set(id, keep(hashes.get(id)!, snapshot));
  return new Map([...known].map(([id, snapshot]) => [id, snapshot!]));
}

import { sql } from 'kysely';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import type { MaterialRow } from '../../contract/materials/calls.ts';
import { filesOf, plainTextOf, type MaterialContent } from '../../contract/materials/content.ts';
import { reviewActionsOf } from '../../contract/materials/review.ts';
import { own } from '../database.ts';

export const materials = (db: Db | Tx) =>
  own(db)
    .selectFrom('corpusMaterial as m')
    .leftJoin('corpusMaterialFolder as f', 'f.id', 'm.folderId')
    .leftJoin('corpusMaterialVersion as c', 'c.id', 'm.currentVersionId')
    .leftJoin('corpusMaterialVersion as a', 'a.id', 'm.auditVersionId');

/** Drafts of living scenes that send the material. */
export const usage = sql<number>`(
  (select count(*) from corpus_schedule_item i join corpus_scene_package p on p.id = i.scene_package_id
     join corpus_scene s on s.id = p.scene_id and s.deleted_at is null where i.material_ids @> array[m.id])
  + (select count(*) from corpus_package_cycle y join corpus_scene_package p on p.id = y.scene_package_id
     join corpus_scene s on s.id = p.scene_id and s.deleted_at is null where y.material_ids @> array[m.id]))::int`;

export const materialColumns = (rows: ReturnType<typeof materials>) =>
  rows
    .select([
      'm.id',
      'm.materialNo',
      'm.title',
      'm.materialType',
      'm.folderId',
      'f.name as folderName',
      'm.diseaseIds',
      'm.tags',
      'm.state',
      'm.editState',
      'm.updatedAt',
      'm.updatedBy',
      'm.version',
      'a.forbiddenHits',
    ])
    .select([
      sql<MaterialContent>`coalesce(c.content, m.draft)`.as('content'),
      sql<string[]>`array(select d.disease_name from corpus_disease d where d.id = any (m.disease_ids) order by d.sort_no, d.id)`.as(
        'diseaseNames',
      ),
      usage.as('usageCount'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof materialColumns>['executeTakeFirstOrThrow']>>;

const SUMMARY = 80;

/** Materials as the contract shows them, with the acts of whoever asks. */
export async function presentMaterials(db: Db | Tx, rows: readonly Stored[], has: Context['has']): Promise<MaterialRow[]> {
  const people = rows.flatMap(({ updatedBy }) => updatedBy ?? []);
  const names = new Map((await userBrief(db, [...new Set(people)])).map((user) => [user.userId, user.displayName]));
  return rows.map(({ content, updatedBy, forbiddenHits, ...row }) => ({
    ...row,
    summary: plainTextOf(content).replaceAll(/\s+/g, ' ').slice(0, SUMMARY),
    pictureFileId: filesOf(content)[0] ?? null,
    forbiddenHits: forbiddenHits ?? [],
    updatedByName: updatedBy === null ? null : (names.get(updatedBy) ?? null),
    allowedActions: reviewActionsOf(row, has),
  }));
}

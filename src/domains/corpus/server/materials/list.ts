import { sql, type SqlBool } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportMaterialList, queryMaterialList } from '../../contract/materials/calls.ts';
import { pictureUrl } from './pictures.ts';
import { materialColumns, materials, presentMaterials } from './rows.ts';

/** @param kernel signs the addresses of the pictures */
export const materialList = (kernel: Kernel) =>
  listOf(queryMaterialList)
    .from(({ db }) => materials(db))
    .with({
      where: {
        keyword: containsOneOf('m.title', 'm.materialNo'),
        type: 'm.materialType',
        state: 'm.state',
        // a folder holds what the folders below it hold
        folderId: (_eb, folderId) => sql<SqlBool>`m.folder_id in (
          with recursive below as (select id from corpus_material_folder where id = ${folderId}
            union select f.id from corpus_material_folder f join below b on f.parent_id = b.id) select id from below)`,
        diseaseId: (_eb, diseaseId) => sql<SqlBool>`m.disease_ids @> array[${diseaseId}]::bigint[]`,
        tag: (_eb, tag) => sql<SqlBool>`m.tags @> array[${tag}]::text[]`,
        toAudit: (_eb, toAudit, { staff }) =>
          toAudit ? sql<SqlBool>`m.edit_state = 'AUDITING' and a.submitted_by <> ${staff.userId}` : undefined,
        ids: 'm.id',
      },
      id: 'm.id',
      sorts: { materialNo: 'm.materialNo', usageCount: sql.ref('usageCount'), updatedAt: 'm.updatedAt' },
      bounded: 'materials are written by hand: some thousands',
      select: materialColumns,
      present: async (rows, { db, has, now }) =>
        (await presentMaterials(db, rows, has)).map((row) => ({ ...row, pictureUrl: pictureUrl(kernel, row.pictureFileId, now) })),
    });

export const materialExport = (list: ReturnType<typeof materialList>) =>
  listExport(list, {
    call: exportMaterialList,
    title: '素材',
    routeKey: 'corpus',
    columns: [
      'materialNo',
      'title',
      'materialType',
      'folderName',
      'diseaseNames',
      'tags',
      'summary',
      'usageCount',
      'state',
      'editState',
      'updatedByName',
      'updatedAt',
    ],
  });

import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { addMaterialFolder, delMaterialFolder, modifyMaterialFolder, queryMaterialFolderList } from '../../contract/materials/calls.ts';
import { own, ownTx } from '../database.ts';

const TARGET = 'corpus.materialFolder';
/** A folder, folders in it, and no deeper. */
const DEEPEST = 2;

/** Writers of the tree go one after another. */
const lockTree = (tx: Tx) => lockKeys(tx, TARGET);

const folderRecords = recordOf((db) => own(db).selectFrom('corpusMaterialFolder as f').selectAll('f')).with({
  type: TARGET,
  id: 'f.id',
  scope: unscoped,
});

async function lockFolder(ctx: CommandContext, id: string, seen: number) {
  await lockTree(ctx.tx);
  const row = await folderRecords.lockVersion(ctx, id, seen, ({ name }) => ({ name }));
  ctx.target({ type: TARGET, id, no: row.name });
  return row;
}

async function requireFreeName(tx: Tx, parentId: string | null, name: string, except: string | null): Promise<void> {
  const { rows } = await sql`
    select 1 from corpus_material_folder where parent_id is not distinct from ${parentId}::bigint and lower(name) = lower(${name})
      and id is distinct from ${except}::bigint`.execute(tx);
  if (rows.length > 0) throw refuseField('name', '同级目录下已有同名目录');
}

export const folderHandlers: readonly Handler[] = [
  query(queryMaterialFolderList, async (_input, ctx) =>
    own(ctx.db)
      .selectFrom('corpusMaterialFolder as f')
      .select(['f.id', 'f.parentId', 'f.name', 'f.sortNo', 'f.version'])
      .select(sql<number>`(select count(*)::int from corpus_material m where m.folder_id = f.id)`.as('materialCount'))
      .orderBy(sql`coalesce(f.parent_id, 0)`)
      .orderBy('f.sortNo')
      .orderBy('f.id')
      .execute(),
  ),
  command(addMaterialFolder, async ({ name, parentId = null }, ctx) => {
    await lockTree(ctx.tx);
    const tables = ownTx(ctx.tx);
    if (parentId !== null) {
      const parent = await tables.selectFrom('corpusMaterialFolder').select('parentId').where('id', '=', parentId).executeTakeFirst();
      if (!parent) throw folderRecords.missing();
      if (parent.parentId !== null) throw refuseField('parentId', `目录最多${DEEPEST}级`);
    }
    await requireFreeName(ctx.tx, parentId, name, null);
    const saved = await tables
      .insertInto('corpusMaterialFolder')
      .values({
        name,
        parentId,
        sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from corpus_material_folder)`,
        ...createdColumns(ctx),
      })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id: saved.id, no: name });
    ctx.changed([{ path: 'name', label: '目录名称', before: null, after: name }]);
    return saved;
  }),
  command(modifyMaterialFolder, async ({ id, version, name }, ctx) => {
    const row = await lockFolder(ctx, id, version);
    await requireFreeName(ctx.tx, row.parentId, name, id);
    ctx.changed([{ path: 'name', label: '目录名称', before: row.name, after: name }]);
    return ownTx(ctx.tx)
      .updateTable('corpusMaterialFolder')
      .set({ name, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
  }),
  command(delMaterialFolder, async ({ id, version }, ctx) => {
    const row = await lockFolder(ctx, id, version);
    const { rows } = await sql`
      select 1
        from corpus_material
        where folder_id = ${id}
      union all
      select 1
        from corpus_material_folder
        where parent_id = ${id} limit 1`.execute(ctx.tx);
    if (rows.length > 0) throw refuseField('id', '目录不为空，请先移走其中的素材和目录');
    await ownTx(ctx.tx).deleteFrom('corpusMaterialFolder').where('id', '=', id).execute();
    ctx.changed([{ path: 'name', label: '目录名称', before: row.name, after: null }]);
    return {};
  }),
];

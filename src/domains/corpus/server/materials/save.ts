import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addMaterial, delMaterial, modifyMaterial } from '../../contract/materials/calls.ts';
import { plainTextOf, type MaterialContent } from '../../contract/materials/content.ts';
import { MATERIAL_TARGET } from '../../contract/materials/dictionaries.ts';
import { reviewMachine } from '../../contract/materials/review.ts';
import { ownTx } from '../database.ts';
import { checkContent, checkPlace, keepFiles } from './checks.ts';
import { lockReviewed, requireEditable, versionContent } from './review.ts';

export const MATERIAL_PREFIX = 'SC';
const labels = { title: '素材标题', folderId: '目录', diseaseIds: '适用病种', tags: '标签', text: '内容' };

const placeOf = (input: { title: string; folderId?: string | null | undefined; diseaseIds: string[]; tags: string[] }) => ({
  title: input.title,
  folderId: input.folderId ?? null,
  diseaseIds: [...new Set(input.diseaseIds)],
  tags: [...new Set(input.tags)],
});

export const addMaterialHandler = command(addMaterial, async (input, ctx) => {
  await checkContent(ctx.tx, input.content);
  await checkPlace(ctx.tx, input);
  const materialNo = await nextNumber(ctx.tx, MATERIAL_PREFIX, ctx.today);
  const saved = await ownTx(ctx.tx)
    .insertInto('corpusMaterial')
    .values({
      ...placeOf(input),
      materialNo,
      materialType: input.content.type,
      state: 'DRAFT',
      editState: 'DRAFT',
      draft: JSON.stringify(input.content),
      draftBy: ctx.staff.userId,
      ...createdColumns(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await keepFiles(ctx, saved.id, input.content);
  ctx.target({ type: MATERIAL_TARGET, id: saved.id, no: materialNo });
  ctx.changed(differencesOf({}, { ...placeOf(input), text: plainTextOf(input.content) }, labels));
  return saved;
});

export const modifyMaterialHandler = command(modifyMaterial, async (input, ctx) => {
  const own = ownTx(ctx.tx);
  const row = await lockReviewed(ctx, 'material', input.id, input.version);
  requireEditable(row);
  const before = await own.selectFrom('corpusMaterial').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
  if (before.materialType !== input.content.type) throw refuseField('content.type', '素材类型不能修改');
  await checkContent(ctx.tx, input.content);
  await checkPlace(ctx.tx, input);
  const inUse = row.currentVersionId === null ? null : await versionContent(ctx.tx, 'material', row.currentVersionId);
  // A content like the one in use is no new version.
  const isNew = !isDeepStrictEqual(inUse, JSON.parse(JSON.stringify(input.content)));
  const saved = await own
    .updateTable('corpusMaterial')
    .set({
      ...placeOf(input),
      ...(isNew
        ? { editState: 'DRAFT' as const, draft: JSON.stringify(input.content), draftBy: ctx.staff.userId }
        : { editState: 'NONE' as const, draft: null, draftBy: null }),
      version: row.version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', row.id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await keepFiles(ctx, row.id, input.content);
  const old = (row.draft ?? inUse) as MaterialContent;
  ctx.changed(differencesOf({ ...before, text: plainTextOf(old) }, { ...placeOf(input), text: plainTextOf(input.content) }, labels));
  return saved;
});

/** Drafts alone are deleted, and those that no scene names. */
export const removeMaterialHandler = command(delMaterial, async ({ id, version }, ctx) => {
  const own = ownTx(ctx.tx);
  const row = await lockReviewed(ctx, 'material', id, version);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: reviewMachine.dictionary.label(row.state) });
  const { rows: using } = await sql`
    select 1 from corpus_schedule_item where material_ids @> array[${id}]::bigint[]
    union all select 1 from corpus_package_cycle where material_ids @> array[${id}]::bigint[] limit 1`.execute(ctx.tx);
  if (using.length > 0) throw refuseField('id', '素材已被场景引用，不能删除');
  const { rows: messages } = await sql`select 1 from corpus_auto_message where material_ids @> array[${id}]::bigint[] limit 1`.execute(
    ctx.tx,
  );
  if (messages.length > 0) throw refuseField('id', '素材已被自动消息引用，不能删除');
  await own.deleteFrom('corpusMaterial').where('id', '=', id).execute();
  ctx.changed([{ path: 'title', label: labels.title, before: row.title, after: null }]);
  return {};
});

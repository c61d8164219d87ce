import { sql } from 'kysely';
import { promotionTagChanged } from '#events/content.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { addPromotionTag, delPromotionTag, modifyPromotionTag, promotionLabels, sortPromotionTag } from '../../contract/promotion/calls.ts';
import { markErrors } from '../../contract/marks/errors.ts';
import { markStates } from '../../contract/marks/states.ts';
import { ownTx } from '../database.ts';
import { lockGroup, lockMarkVersion, MARK_TARGET, requireUnruled } from '../marks/access.ts';
import { endBindings } from '../marks/bindings/end.ts';
import { everBound, requireFreeName } from '../marks/marks.ts';
import { publishMarks } from '../marks/publish.ts';

export const add = command(addPromotionTag, async ({ groupId, displayText, style, pages, startAt, endAt, priority, ...mark }, ctx) => {
  const card = { displayText, style, pages: [...new Set(pages)], startAt, endAt, priority };
  const group = await lockGroup(ctx, groupId);
  if (group.kind !== 'PROMOTION') throw refuseField('groupId', '请选择促销标签组');
  await requireFreeName(ctx, group.id, mark.markName, null);
  const markCode = await nextSerial(ctx.tx, 'BQ', 5);
  const { id } = await ownTx(ctx.tx)
    .insertInto('contentMark')
    .values({
      ...mark,
      groupId: group.id,
      markCode,
      pinyin: pinyinText(mark.markName),
      sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from content_mark where group_id = ${group.id})`,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ownTx(ctx.tx)
    .insertInto('contentPromotionTag')
    .values({ markId: id, groupId: group.id, ...card })
    .execute();
  ctx.target({ type: MARK_TARGET, id, no: markCode });
  ctx.changed(differencesOf({}, { ...mark, ...card }, promotionLabels));
  await publishMarks(ctx, [id]);
  return { id, markCode, version: 1 };
});

/** A promotion tag with its mark, locked. */
async function lockTag(ctx: CommandContext, id: string, version: number) {
  const { mark } = await lockMarkVersion(ctx, id, version);
  const card = await ownTx(ctx.tx).selectFrom('contentPromotionTag').selectAll().where('markId', '=', id).executeTakeFirst();
  if (!card) throw refuse(platformErrors.NOT_FOUND, { message: '促销标签不存在或已删除' });
  return { mark, card };
}

/** Out of use it disappears from cards at once; what people have bound stays and is hidden. */
export const modify = command(modifyPromotionTag, async (input, ctx) => {
  const { id, version, state, displayText, style, pages, startAt, endAt, priority, ...mark } = input;
  const card = { displayText, style, pages: [...new Set(pages)], startAt, endAt, priority };
  const before = await lockTag(ctx, id, version);
  await requireFreeName(ctx, before.mark.groupId, mark.markName, id);
  const to = state ?? before.mark.state;
  await moveState(ctx, markStates, {
    targetType: MARK_TARGET,
    targetId: id,
    targetNo: before.mark.markCode,
    action: to === before.mark.state ? 'modify' : to === 'DISABLED' ? 'disable' : 'enable',
    from: before.mark.state,
    differences: differencesOf({ ...before.card, ...before.mark }, { ...mark, ...card }, promotionLabels),
  });
  await ownTx(ctx.tx)
    .updateTable('contentMark')
    .set({ ...mark, pinyin: pinyinText(mark.markName), state: to, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await ownTx(ctx.tx).updateTable('contentPromotionTag').set(card).where('markId', '=', id).execute();
  if (to === 'DISABLED' && before.mark.state === 'ENABLED') await endBindings(ctx, { markIds: [id], sources: ['RULE'] }, 'MARK_OFF');
  await publishMarks(ctx, [id]);
  return { id, markCode: before.mark.markCode, version: version + 1 };
});

export const remove = command(delPromotionTag, async ({ id, version }, ctx) => {
  const { mark } = await lockTag(ctx, id, version);
  const n = await everBound(ctx, id);
  if (n > 0) throw refuse(markErrors.MARK_USED, { n });
  await requireUnruled(ctx, id, '删除');
  await ownTx(ctx.tx).deleteFrom('contentMark').where('id', '=', id).execute();
  ctx.target({ type: MARK_TARGET, id, no: mark.markCode });
  ctx.changed([{ path: 'markName', label: promotionLabels.markName, before: mark.markName, after: null }]);
  // Copies forget it: a state that no card shows.
  await ctx.publish(promotionTagChanged, id, {
    tagId: id,
    name: mark.markName,
    colour: mark.color,
    validFrom: null,
    validTo: null,
    state: 'DELETED',
  });
  return {};
});

/** The highest priority; those named get one less each, others stay as they are. */
const HIGHEST = 99;

export const sort = command(sortPromotionTag, async ({ ids }, ctx) => {
  await lockKeys(ctx.tx, MARK_TARGET, ['promotion']);
  const wanted = [...new Set(ids)];
  const known = await ownTx(ctx.tx)
    .selectFrom('contentPromotionTag')
    .select('markId')
    .where('markId', 'in', wanted)
    .orderBy('markId')
    .forUpdate()
    .execute();
  if (known.length < wanted.length) throw refuse(platformErrors.NOT_FOUND, { message: '促销标签不存在或已删除' });
  await sql`update content_promotion_tag set priority = ${HIGHEST + 1} - array_position(${wanted}::bigint[], mark_id)
    where mark_id = any(${wanted}::bigint[])`.execute(ctx.tx);
  for (const id of wanted) ctx.target({ type: MARK_TARGET, id });
  return {};
});

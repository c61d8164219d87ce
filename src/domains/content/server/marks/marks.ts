import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { addMark, delMark, markLabels, mergeMark, modifyMark } from '../../contract/marks/calls/marks.ts';
import { markErrors } from '../../contract/marks/errors.ts';
import { markStates } from '../../contract/marks/states.ts';
import { ownTx } from '../database.ts';
import { GROUP_TARGET, lockGroup, lockMark, lockMarkVersion, MARK_TARGET, requireUnruled } from './access.ts';
import { endBindings, moveBindings } from './bindings/end.ts';
import { publishMarks } from './publish.ts';

/** The group is locked. */
export async function requireFreeName(ctx: CommandContext, groupId: string, name: string, exceptId: string | null): Promise<void> {
  const same = await ownTx(ctx.tx)
    .selectFrom('contentMark')
    .select('id')
    .where('groupId', '=', groupId)
    .where(sql`lower(mark_name)`, '=', name.toLowerCase())
    .execute();
  if (same.some(({ id }) => id !== exceptId)) throw refuse(markErrors.MARK_EXISTS);
}

export const add = command(addMark, async (input, ctx) => {
  const group = await lockGroup(ctx, input.groupId);
  if (group.kind === 'PROMOTION') throw refuseField('groupId', '请在促销标签中新增');
  await requireFreeName(ctx, group.id, input.markName, null);
  const markCode = await nextSerial(ctx.tx, 'BQ', 5);
  const { id } = await ownTx(ctx.tx)
    .insertInto('contentMark')
    .values({
      ...input,
      markCode,
      pinyin: pinyinText(input.markName),
      sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from content_mark where group_id = ${group.id})`,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: MARK_TARGET, id, no: markCode });
  ctx.changed(differencesOf({}, input, markLabels));
  await publishMarks(ctx, [id]);
  return { id, markCode, version: 1 };
});

/** Putting a mark out of use ends what rules have bound; what people have bound stays and is hidden. */
export const modify = command(modifyMark, async ({ id, version, state, ...fields }, ctx) => {
  const { group, mark: before } = await lockMarkVersion(ctx, id, version);
  if (group.kind === 'PROMOTION') throw refuseField('id', '请在促销标签中修改');
  await requireFreeName(ctx, before.groupId, fields.markName, id);
  const to = state ?? before.state;
  await moveState(ctx, markStates, {
    targetType: MARK_TARGET,
    targetId: id,
    targetNo: before.markCode,
    action: to === before.state ? 'modify' : to === 'DISABLED' ? 'disable' : 'enable',
    from: before.state,
    differences: differencesOf(before, fields, markLabels),
  });
  await ownTx(ctx.tx)
    .updateTable('contentMark')
    .set({ ...fields, pinyin: pinyinText(fields.markName), state: to, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  if (to === 'DISABLED' && before.state === 'ENABLED') await endBindings(ctx, { markIds: [id], sources: ['RULE'] }, 'MARK_OFF');
  await publishMarks(ctx, [id]);
  return { id, markCode: before.markCode, version: version + 1 };
});

/** How many things ever carried the mark. */
export async function everBound(ctx: CommandContext, markId: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(distinct object_id)::int as n from content_mark_binding where mark_id = ${markId}`.execute(ctx.tx);
  return rows[0]?.n ?? 0;
}

export const remove = command(delMark, async ({ id, version }, ctx) => {
  const { group, mark } = await lockMarkVersion(ctx, id, version);
  if (group.kind === 'PROMOTION') throw refuseField('id', '请在促销标签中删除');
  const n = await everBound(ctx, id);
  if (n > 0) throw refuse(markErrors.MARK_USED, { n });
  await requireUnruled(ctx, id, '删除');
  await ownTx(ctx.tx).deleteFrom('contentMark').where('id', '=', id).execute();
  ctx.target({ type: MARK_TARGET, id, no: mark.markCode });
  ctx.changed([{ path: 'markName', label: markLabels.markName, before: mark.markName, after: null }]);
  return {};
});

export const merge = command(mergeMark, async ({ fromId, version, intoId }, ctx) => {
  const { mark: from } = await lockMarkVersion(ctx, fromId, version);
  if (fromId === intoId) throw refuseField('intoId', '不能合并到自身');
  const { mark: into } = await lockMark(ctx, intoId);
  if (from.groupId !== into.groupId) throw refuse(markErrors.OTHER_GROUP);
  if (into.state === 'DISABLED') throw refuseField('intoId', '目标标签已停用');
  await requireUnruled(ctx, fromId, '合并');
  const counts = await moveBindings(ctx, fromId, intoId);
  if (from.state === 'ENABLED') {
    await moveState(ctx, markStates, {
      targetType: MARK_TARGET,
      targetId: fromId,
      targetNo: from.markCode,
      action: 'disable',
      from: from.state,
      differences: [{ path: 'mergedInto', label: '合并到', before: null, after: into.markName }],
    });
  }
  await ownTx(ctx.tx)
    .updateTable('contentMark')
    .set({ state: 'DISABLED', version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', fromId)
    .execute();
  ctx.target({ type: MARK_TARGET, id: fromId, no: from.markCode });
  ctx.target({ type: GROUP_TARGET, id: from.groupId });
  await publishMarks(ctx, [fromId]);
  return { id: intoId, ...counts };
});

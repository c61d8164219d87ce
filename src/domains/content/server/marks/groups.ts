import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { addTagGroup, delTagGroup, modifyTagGroup, sortTagGroup, tagGroupLabels } from '../../contract/marks/calls/groups.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { markErrors } from '../../contract/marks/errors.ts';
import { tagGroupStates } from '../../contract/marks/states.ts';
import { ownTx } from '../database.ts';
import { GROUP_TARGET, lockGroup, lockGroupVersion, seesGroup, groupRecords, markMissing } from './access.ts';
import { endBindings } from './bindings/end.ts';
import { publishMarks } from './publish.ts';

/** Groups of one kind of thing are named and ordered by one writer at a time. */
const lockType = (ctx: CommandContext, objectType: ObjectTypeCode) => lockKeys(ctx.tx, GROUP_TARGET, [objectType]);

async function requireFreeName(ctx: CommandContext, objectType: ObjectTypeCode, name: string, exceptId: string | null): Promise<void> {
  const same = await ownTx(ctx.tx)
    .selectFrom('contentTagGroup')
    .select('id')
    .where('objectType', '=', objectType)
    .where(sql`lower(group_name)`, '=', name.toLowerCase())
    .execute();
  if (same.some(({ id }) => id !== exceptId)) throw refuse(markErrors.GROUP_EXISTS);
}

export const addGroup = command(addTagGroup, async (input, ctx) => {
  if (input.kind === 'PROMOTION' && input.objectType !== 'MEDICINE') throw refuseField('kind', '促销标签仅适用于药品');
  if (input.kind === 'PROMOTION' && input.sensitive) throw refuseField('sensitive', '促销标签不能设为医疗类');
  await lockType(ctx, input.objectType);
  await requireFreeName(ctx, input.objectType, input.groupName, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('contentTagGroup')
    .values({
      ...input,
      sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from content_tag_group where object_type = ${input.objectType})`,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: GROUP_TARGET, id, no: input.groupName });
  ctx.changed(differencesOf({}, input, tagGroupLabels));
  return { id, version: 1 };
});

const marksOf = async (ctx: CommandContext, groupId: string) =>
  (await ownTx(ctx.tx).selectFrom('contentMark').select('id').where('groupId', '=', groupId).orderBy('id').execute()).map(({ id }) => id);

/** Putting a group out of use ends what rules have bound; what people have bound stays and is hidden. */
export const modifyGroup = command(modifyTagGroup, async ({ id, version, state, ...fields }, ctx) => {
  const before = await lockGroupVersion(ctx, id, version);
  if (before.kind === 'PROMOTION' && fields.sensitive) throw refuseField('sensitive', '促销标签不能设为医疗类');
  await lockType(ctx, before.objectType);
  await requireFreeName(ctx, before.objectType, fields.groupName, id);
  const to = state ?? before.state;
  await moveState(ctx, tagGroupStates, {
    targetType: GROUP_TARGET,
    targetId: id,
    targetNo: fields.groupName,
    action: to === before.state ? 'modify' : to === 'DISABLED' ? 'disable' : 'enable',
    from: before.state,
    differences: differencesOf(before, fields, tagGroupLabels),
  });
  await ownTx(ctx.tx)
    .updateTable('contentTagGroup')
    .set({ ...fields, state: to, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  if (to !== before.state) {
    const marks = await marksOf(ctx, id);
    if (to === 'DISABLED') await endBindings(ctx, { markIds: marks, sources: ['RULE'] }, 'MARK_OFF');
    await publishMarks(ctx, marks);
  }
  return { id, version: version + 1 };
});

export const removeGroup = command(delTagGroup, async ({ id, version }, ctx) => {
  const group = await lockGroupVersion(ctx, id, version);
  if ((await marksOf(ctx, id)).length > 0) throw refuse(markErrors.GROUP_NOT_EMPTY);
  await ownTx(ctx.tx).deleteFrom('contentTagGroup').where('id', '=', id).execute();
  ctx.target({ type: GROUP_TARGET, id, no: group.groupName });
  ctx.changed([{ path: 'groupName', label: tagGroupLabels.groupName, before: group.groupName, after: null }]);
  return {};
});

/** Writes the order of rows: those named first, others behind in the order that they had. */
export const sortGroups = command(sortTagGroup, async ({ objectType, groupId, ids }, ctx) => {
  const tx = ownTx(ctx.tx);
  if (groupId !== undefined) {
    const group = await lockGroup(ctx, groupId);
    const known = await marksOf(ctx, groupId);
    if (ids.some((id) => !known.includes(id))) throw markMissing();
    await sql`
      update content_mark m
        set sort_no = coalesce(array_position(${ids}::bigint[], m.id), ${ids.length} + m.sort_no)
        where m.group_id = ${groupId}`.execute(ctx.tx);
    ctx.target({ type: GROUP_TARGET, id: groupId, no: group.groupName });
    return {};
  }
  const type = objectType ?? 'PATIENT';
  await lockType(ctx, type);
  const known = await tx.selectFrom('contentTagGroup').select(['id', 'objectType', 'sensitive']).where('objectType', '=', type).execute();
  const seen = new Set(known.filter((group) => seesGroup(ctx, group)).map(({ id }) => id));
  if (ids.some((id) => !seen.has(id))) throw groupRecords.missing();
  await sql`
    update content_tag_group g
      set sort_no = coalesce(array_position(${ids}::bigint[], g.id), ${ids.length} + g.sort_no)
      where g.object_type = ${type}`.execute(ctx.tx);
  for (const id of ids) ctx.target({ type: GROUP_TARGET, id });
  return {};
});

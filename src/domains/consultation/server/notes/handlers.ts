import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { addGroupNote, delGroupNote, modifyGroupNote, queryGroupNotes } from '../../contract/calls/notes.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { requireMember, seeGroup } from '../people/access.ts';
import { addNote } from './addNote.ts';

type Note = OutputOf<typeof addGroupNote>;

const EDITABLE = minutes(10);
const DIGEST = 60;

/** Notes of a group, or one of them, in the order of the timeline. */
async function notesOf(db: Db | Tx, userId: string, by: { groupId: string } | { id: string }): Promise<Note[]> {
  const wanted = 'id' in by ? sql`n.id = ${by.id}` : sql`n.group_id = ${by.groupId}`;
  const { rows } = await sql<Note>`
    select n.id, n.group_id, n.after_seq::int as after_seq, n.content, n.author_name,
        coalesce(n.created_by = ${userId}::bigint, false) as mine, n.created_at, n.edited_at,
        coalesce((
          select jsonb_agg(jsonb_build_object('assistantId', d.assistant_id::text, 'name', d.name) order by d.name)
            from consultation_assistant_duty d
            where d.assistant_id = any(n.mentions)
        ), '[]') as mentions
      from consultation_group_note n
      where ${wanted} and n.deleted_at is null
      order by n.after_seq, n.id`.execute(db);
  return rows;
}
async function noteOf(ctx: CommandContext, id: string): Promise<Note> {
  const [note] = await notesOf(ctx.tx, ctx.staff.userId, { id });
  if (!note) throw refuse(platformErrors.NOT_FOUND);
  return note;
}

/** Colleagues who are named are told, in their own list of notices; a patient's chat hears nothing. */
async function notifyMentioned(
  kernel: Kernel,
  ctx: CommandContext,
  note: { id: string; groupId: string; content: string; authorName: string },
  mentions: readonly string[],
): Promise<void> {
  if (mentions.length === 0) return;
  const people = await ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .select(['userId', 'assistantId'])
    .where('assistantId', 'in', [...mentions])
    .where('personState', '<>', 'DISABLED')
    .execute();
  const userIds = people.map(({ userId }) => userId).filter((userId) => userId !== ctx.staff.userId);
  if (userIds.length === 0) return;
  await kernel.ports.notices.addResult(
    ctx.tx,
    {
      businessKey: `consultation.note:${note.id}`,
      title: `${note.authorName}在内部备注中提到了您`,
      body: note.content.slice(0, DIGEST),
      link: `/assistantIM?conversationID=${groupConversation(note.groupId)}`,
      userIds,
    },
    ctx.now,
  );
}

/** A note that somebody may still change: its author within ten minutes. @throws Refusal SCM10062, SCM90040 */
async function lockOwn(ctx: CommandContext, id: string) {
  const row = await ownTx(ctx.tx)
    .selectFrom('consultationGroupNote')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const { me } = await requireMember(ctx.tx, ctx, row.groupId);
  ctx.target({ type: 'consultation.groupNote', id, no: row.groupId });
  return { row, me, mine: row.createdBy === ctx.staff.userId, late: plusMs(row.createdAt, EDITABLE) < ctx.now };
}

export const noteHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryGroupNotes, async ({ groupId }, ctx) => {
    const seen = await seeGroup(ctx.db, ctx, groupId);
    // Who only reads visit records is no colleague of this group.
    if (!seen.member && !seen.pool && !seen.watcher) throw refuse(platformErrors.NOT_FOUND);
    return notesOf(ctx.db, ctx.staff.userId, { groupId });
  }),
  command(addGroupNote, async ({ groupId, afterSeq, content, mentions }, ctx) => {
    const { me } = await requireMember(ctx.tx, ctx, groupId);
    const id = await addNote(deedOf(kernel, ctx), { groupId, afterSeq, content, mentions, authorName: me.name });
    ctx.target({ type: 'consultation.groupNote', id, no: groupId });
    await notifyMentioned(kernel, ctx, { id, groupId, content, authorName: me.name }, mentions);
    return noteOf(ctx, id);
  }),
  command(modifyGroupNote, async ({ id, content, mentions }, ctx) => {
    const { row, me, mine, late } = await lockOwn(ctx, id);
    if (!mine) throw refuse(platformErrors.NOT_FOUND, { message: '只能修改自己的备注' });
    if (late) throw refuse(errors.NOTE_TOO_OLD);
    await ownTx(ctx.tx).updateTable('consultationGroupNote').set({ content, mentions, editedAt: ctx.now }).where('id', '=', id).execute();
    await notifyMentioned(
      kernel,
      ctx,
      { id, groupId: row.groupId, content, authorName: me.name },
      mentions.filter((one) => !row.mentions.includes(one)),
    );
    return noteOf(ctx, id);
  }),
  command(delGroupNote, async ({ id }, ctx) => {
    const { me, mine, late } = await lockOwn(ctx, id);
    if (!mine && !me.supervisor) throw refuse(platformErrors.NOT_FOUND, { message: '只能删除自己的备注' });
    if (mine && late && !me.supervisor) throw refuse(errors.NOTE_TOO_OLD);
    await ownTx(ctx.tx).updateTable('consultationGroupNote').set({ deletedAt: ctx.now }).where('id', '=', id).execute();
    return { id };
  }),
];

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { InviteState } from '../../../contract/im/client.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { RequestOf, WireInvite } from '../../../contract/im/wire.ts';
import { json, ownTx } from '../../database.ts';
import { membersOf } from '../conversations/conversations.ts';
import type { ImEngine } from '../engine.ts';
import type { ConvName } from '../messages/present.ts';
import { refusal, type Refused } from '../messages/sending.ts';
import { appendEvents } from './events.ts';

interface Row {
  inviteId: string;
  convId: string;
  callerId: string;
  invitees: string[];
  answered: unknown;
  data: string;
  state: InviteState;
  expiresAt: string;
}

const wireInvite = (row: Row, groupID: string, by: string): WireInvite => ({
  inviteID: row.inviteId,
  conversationID: groupConversation(groupID),
  groupID,
  inviter: row.callerId,
  inviteeList: row.invitees,
  data: row.data,
  state: row.state,
  by,
  expiresAt: row.expiresAt,
});

/** Caller and invited people hear every change. */
async function notifyInvited(engine: ImEngine, writing: Writing, row: Row, by: string, now: Instant): Promise<void> {
  const conv = await engine.names.byId(writing.tx, row.convId);
  const invite = wireInvite(row, conv?.groupId ?? '', by);
  const deliveries = await appendEvents(
    writing.tx,
    [row.callerId, ...row.invitees].map((to) => ({ to, event: { type: 'invite' as const, invite }, convId: row.convId })),
    now,
  );
  writing.afterCommit(() => engine.hub.deliver({ messages: [], deliveries }));
}

/** Calls members of a group; the call stands in the log, so that a page that reconnects rings as well. */
export async function openInvite(
  engine: ImEngine,
  writing: Writing,
  conv: ConvName,
  caller: string,
  wish: RequestOf<'invite'>,
  now: Instant,
): Promise<{ inviteID: string } | Refused> {
  const { tx } = writing;
  const members = ((await membersOf(tx, [conv.convId])).get(conv.convId) ?? []).map(({ imUserId }) => imUserId);
  const invitees = [...new Set(wish.inviteeList)].filter((id) => id !== caller);
  if (!members.includes(caller) || invitees.length === 0 || invitees.some((id) => !members.includes(id))) return refusal('NOT_MEMBER');
  if (!(await engine.hooks.mayInvite(tx, caller, wish.groupID))) return refusal('NOT_ALLOWED');
  const blocked = await ownTx(tx)
    .selectFrom('consultationImBlacklist')
    .select('ownerId')
    .where('ownerId', 'in', invitees)
    .where('blockedId', '=', caller)
    .executeTakeFirst();
  if (blocked) return refusal('BLACKLISTED');
  const row = {
    inviteId: randomUUID(),
    convId: conv.convId,
    callerId: caller,
    invitees,
    answered: {},
    data: wish.data,
    state: 'OPEN' as const,
    expiresAt: plusMs(now, wish.timeout * 1000),
  };
  await ownTx(tx)
    .insertInto('consultationImInvite')
    .values({ ...row, answered: '{}', createdAt: now })
    .execute();
  await notifyInvited(engine, writing, row, caller, now);
  return { inviteID: row.inviteId };
}

/** Answers a call. The first who accepts ends the ringing of the others; it is refused when all refused. */
export async function answerInvite(
  engine: ImEngine,
  writing: Writing,
  imUserId: string,
  inviteID: string,
  answer: 'ACCEPTED' | 'REJECTED' | 'CANCELLED',
  now: Instant,
): Promise<null | Refused> {
  const { tx } = writing;
  const row = await ownTx(tx)
    .selectFrom('consultationImInvite')
    .selectAll()
    .where('inviteId', '=', inviteID)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const mayAnswer = row && (answer === 'CANCELLED' ? row.callerId === imUserId : row.invitees.includes(imUserId));
  if (!mayAnswer) return refusal('NOT_FOUND');
  const before = row.answered as Record<string, string>;
  // A second invited person may still join a call that the first has taken.
  if (row.state !== 'OPEN' && !(row.state === 'ACCEPTED' && answer !== 'CANCELLED')) return refusal('NOT_FOUND', '通话已结束');
  const answered = { ...before, [imUserId]: answer };
  const allRefused = row.invitees.every((id) => answered[id] === 'REJECTED');
  const state =
    answer === 'CANCELLED' ? 'CANCELLED' : Object.values(answered).includes('ACCEPTED') ? 'ACCEPTED' : allRefused ? 'REJECTED' : 'OPEN';
  await ownTx(tx)
    .updateTable('consultationImInvite')
    .set({ state, answered: json(answered) })
    .where('inviteId', '=', inviteID)
    .execute();
  await notifyInvited(engine, writing, { ...row, state, answered }, imUserId, now);
  return null;
}

/** Ends the calls that nobody answered in time; also those of a process that is gone. */
export async function expireInvites(engine: ImEngine, writing: Writing, now: Instant): Promise<number> {
  const { rows } = await sql<Row>`
    update consultation_im_invite
      set state = 'TIMEOUT'
      where invite_id in (
        select invite_id
          from consultation_im_invite
          where state = 'OPEN' and expires_at <= ${now}::timestamptz
          order by invite_id limit 50 for update skip locked
      )
      returning invite_id, conv_id, caller_id, invitees, answered, data, state, expires_at`.execute(writing.tx);
  for (const row of rows) await notifyInvited(engine, writing, row, '', now);
  return rows.length;
}

import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { conversationOpened } from '#events/consultation.ts';
import { groupConversation, operatorIdOf, pairOf, roleOf } from '../../../contract/im/ids.ts';
import type { WireEvent } from '../../../contract/im/wire.ts';
import { ownTx } from '../../database.ts';
import { syncVendor } from '../../tencent/sync.ts';
import { imEngine } from '../engine.ts';
import { appendEvents, type NewEvent } from '../sockets/events.ts';
import { conversationIdFor, type ConvName } from '../messages/present.ts';
import { lockConversations, lockUsers, membersOf } from './conversations.ts';

/** All of these need the accounts to exist (`ensureAccount`), and lock conversation, accounts and members in this order. */

async function deliver(
  kernel: Kernel,
  writing: Writing,
  events: readonly NewEvent[],
  now: Instant,
  locked: Awaited<ReturnType<typeof lockUsers>>,
): Promise<void> {
  const deliveries = await appendEvents(writing.tx, events, now, locked);
  await syncVendor(
    kernel,
    writing,
    events.map(({ convId }) => convId),
  );
  writing.afterCommit(() => imEngine(kernel).hub.deliver({ messages: [], deliveries }));
}

const forAll = (
  viewers: readonly string[],
  conv: ConvName,
  event: (viewer: string) => Omit<WireEvent, 'n'> & NewEvent['event'],
): NewEvent[] => viewers.map((to) => ({ to, convId: conv.convId, event: event(to) }));

async function join(writing: Writing, conv: ConvName, imUserIds: readonly string[], collaborate: boolean, now: Instant): Promise<void> {
  await sql`
    insert into consultation_im_member (conv_id, im_user_id, user_role, join_time, collaborate)
      select ${conv.convId}::bigint, v.id, v.role, ${now}::timestamptz, ${collaborate}
        from unnest(${[...imUserIds]}::text[], ${imUserIds.map((id) => roleOf(id))}::text[]) as v (id, role)
        on conflict (conv_id, im_user_id) do update
        set left_at = null, join_time = excluded.join_time, collaborate = excluded.collaborate`.execute(writing.tx);
}

/** Opens a group with its first members. @returns the id of its conversation. */
export async function createGroup(
  kernel: Kernel,
  writing: Writing,
  group: { groupId: string; name: string; imUserIds: readonly string[]; createdBy: string | null },
  now: Instant,
): Promise<string> {
  const { convId } = await ownTx(writing.tx)
    .insertInto('consultationImConversation')
    .values({ type: 'GROUP', groupId: group.groupId, name: group.name.slice(0, 60), createdAt: now, createdBy: group.createdBy })
    .returning('convId')
    .executeTakeFirstOrThrow();
  const conv = { convId, groupId: group.groupId, userLow: null, userHigh: null };
  const users = await lockUsers(writing.tx, group.imUserIds);
  await join(writing, conv, group.imUserIds, false, now);
  await deliver(
    kernel,
    writing,
    forAll(group.imUserIds, conv, () => ({
      type: 'member',
      conversationID: groupConversation(group.groupId),
      change: 'JOIN',
      userIDs: [...group.imUserIds],
    })),
    now,
    users,
  );
  return convId;
}

/** The single chat of an assistant and a patient, opened where there is none. */
export async function ensureSingleChat(
  kernel: Kernel,
  writing: Writing,
  assistant: string,
  patient: string,
  now: Instant,
): Promise<string> {
  const [low, high] = pairOf(assistant, patient);
  const { rows } = await sql<{ convId: string }>`
    insert into consultation_im_conversation (type, user_low, user_high, created_at) values ('C2C', ${low}, ${high}, ${now}::timestamptz)
    on conflict (user_low, user_high) where type = 'C2C' do nothing returning conv_id`.execute(writing.tx);
  const fresh = rows[0];
  if (!fresh) {
    const known = await ownTx(writing.tx)
      .selectFrom('consultationImConversation')
      .select('convId')
      .where('type', '=', 'C2C')
      .where('userLow', '=', low)
      .where('userHigh', '=', high)
      .executeTakeFirstOrThrow();
    return known.convId;
  }
  const conv = { convId: fresh.convId, groupId: null, userLow: low, userHigh: high };
  const users = await lockUsers(writing.tx, [low, high]);
  await join(writing, conv, [low, high], false, now);
  await deliver(
    kernel,
    writing,
    forAll([low, high], conv, (viewer) => ({
      type: 'member',
      conversationID: conversationIdFor(conv, viewer),
      change: 'JOIN',
      userIDs: [low, high],
    })),
    now,
    users,
  );
  await publishOpened(writing, fresh.convId, assistant, patient, now);
  return fresh.convId;
}

/** The person stands behind the account's chat name; one of whom nobody is known yet is told of with his first group. */
async function publishOpened(writing: Writing, convId: string, assistant: string, patient: string, now: Instant): Promise<void> {
  const person = await ownTx(writing.tx)
    .selectFrom('consultationImUser')
    .select(['operatorId', 'refId'])
    .where('imUserId', '=', patient)
    .executeTakeFirst();
  if (!person?.refId) return;
  await writing.publish(conversationOpened, convId, {
    conversationId: convId,
    groupId: null,
    kind: 'C2C',
    patientId: person.refId,
    suffererOperatorId: person.operatorId,
    doctorId: null,
    assistantOperatorId: operatorIdOf(assistant),
    deskId: null,
    source: 'SINGLE',
    first: true,
    at: now,
  });
}

/** @returns those who were not members before. */
export async function addMembers(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  imUserIds: readonly string[],
  options: { collaborate?: boolean },
  now: Instant,
): Promise<string[]> {
  const conv = (await lockConversations(writing.tx, [convId])).get(convId);
  if (!conv) return [];
  const there = ((await membersOf(writing.tx, [convId])).get(convId) ?? []).map(({ imUserId }) => imUserId);
  const fresh = [...new Set(imUserIds)].filter((id) => !there.includes(id));
  if (fresh.length === 0) return [];
  const users = await lockUsers(writing.tx, [...there, ...fresh]);
  await join(writing, conv, fresh, options.collaborate ?? false, now);
  await deliver(
    kernel,
    writing,
    forAll([...there, ...fresh], conv, (viewer) => ({
      type: 'member',
      conversationID: conversationIdFor(conv, viewer),
      change: 'JOIN',
      userIDs: fresh,
    })),
    now,
    users,
  );
  return fresh;
}

/** @returns those who left; their rows stay, with how far they had read. */
export async function removeMembers(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  imUserIds: readonly string[],
  now: Instant,
): Promise<string[]> {
  const conv = (await lockConversations(writing.tx, [convId])).get(convId);
  if (!conv) return [];
  const there = ((await membersOf(writing.tx, [convId])).get(convId) ?? []).map(({ imUserId }) => imUserId);
  const leaving = there.filter((id) => imUserIds.includes(id));
  if (leaving.length === 0) return [];
  const users = await lockUsers(writing.tx, there);
  await ownTx(writing.tx)
    .updateTable('consultationImMember')
    .set({ leftAt: now, collaborate: false })
    .where('convId', '=', convId)
    .where('imUserId', 'in', leaving)
    .execute();
  const staying = there.filter((id) => !leaving.includes(id));
  await deliver(
    kernel,
    writing,
    [
      ...forAll(staying, conv, (viewer) => ({
        type: 'member',
        conversationID: conversationIdFor(conv, viewer),
        change: 'LEAVE',
        userIDs: leaving,
      })),
      ...forAll(leaving, conv, (viewer) => ({ type: 'convRemoved', conversationID: conversationIdFor(conv, viewer) })),
    ],
    now,
    users,
  );
  return leaving;
}

/** 限制发言 in one conversation; null lifts it. */
export async function muteMember(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  imUserId: string,
  until: Instant | null,
  now: Instant,
): Promise<void> {
  const conv = (await lockConversations(writing.tx, [convId])).get(convId);
  if (!conv) return;
  const there = ((await membersOf(writing.tx, [convId])).get(convId) ?? []).map((member) => member.imUserId);
  const users = await lockUsers(writing.tx, there);
  await ownTx(writing.tx)
    .updateTable('consultationImMember')
    .set({ muteUntil: until })
    .where('convId', '=', convId)
    .where('imUserId', '=', imUserId)
    .execute();
  await deliver(
    kernel,
    writing,
    forAll(there, conv, (viewer) => ({
      type: 'member',
      conversationID: conversationIdFor(conv, viewer),
      change: 'MUTE',
      userIDs: [imUserId],
    })),
    now,
    users,
  );
}

/** New name, or closing and opening again. A closed conversation can be read, not written. */
export async function changeConversation(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  change: { name?: string; dissolved?: boolean },
  now: Instant,
): Promise<void> {
  const conv = (await lockConversations(writing.tx, [convId])).get(convId);
  if (!conv) return;
  await ownTx(writing.tx)
    .updateTable('consultationImConversation')
    .set({
      ...(change.name === undefined ? {} : { name: change.name.slice(0, 60) }),
      ...(change.dissolved === undefined ? {} : { dissolvedAt: change.dissolved ? now : null }),
    })
    .where('convId', '=', convId)
    .execute();
  const there = ((await membersOf(writing.tx, [convId])).get(convId) ?? []).map(({ imUserId }) => imUserId);
  const changes = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.dissolved === undefined ? {} : { isDissolved: change.dissolved }),
  };
  const users = await lockUsers(writing.tx, there);
  await deliver(
    kernel,
    writing,
    forAll(there, conv, (viewer) => ({ type: 'conv', conversationID: conversationIdFor(conv, viewer), change: changes })),
    now,
    users,
  );
}

/** A setting of one member that another part decides: who neither owns nor helps in a group is not rung. */
export async function setRemindType(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  imUserId: string,
  remindType: 'AcceptAndNotify' | 'AcceptNotNotify',
  now: Instant,
): Promise<void> {
  const conv = await imEngine(kernel).names.byId(writing.tx, convId);
  if (!conv) return;
  const users = await lockUsers(writing.tx, [imUserId]);
  const changed = await ownTx(writing.tx)
    .updateTable('consultationImMember')
    .set({ remindType })
    .where('convId', '=', convId)
    .where('imUserId', '=', imUserId)
    .where('remindType', '<>', remindType)
    .returning('convId')
    .execute();
  if (changed.length === 0) return;
  await deliver(
    kernel,
    writing,
    forAll([imUserId], conv, (viewer) => ({ type: 'conv', conversationID: conversationIdFor(conv, viewer), change: { remindType } })),
    now,
    users,
  );
}

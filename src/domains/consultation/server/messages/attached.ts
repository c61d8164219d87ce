import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { attach, usesOf, type FileUse } from '#domains/files/server/index.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import { CANNED_TARGET } from '../canned/save.ts';
import { own } from '../database.ts';
import { CHAT_PURPOSE, GROUP_OWNER, SINGLE_OWNER } from '../files.ts';
import type { SendWish, StoredMessage } from '../im/hooks.ts';
import { filesIn } from '../im/messages/sending.ts';
import { uploaderOf } from '../participants/enter.ts';

interface Place {
  convId: string;
  groupId: string | null;
  senderId: string;
}
const ownerOf = ({ convId, groupId }: Place) =>
  groupId === null ? { ownerType: SINGLE_OWNER, ownerId: convId } : { ownerType: GROUP_OWNER, ownerId: groupId };

/** As whom files knows these senders: staff by their user, participants by numbers of their own. */
async function uploadersOf(tx: Tx, senderIds: readonly string[]): Promise<Map<string, string>> {
  const assistants = senderIds.filter((id) => roleOf(id) === 'ASSISTANT');
  const rows =
    assistants.length === 0
      ? []
      : await own(tx)
          .selectFrom('consultationAssistantDuty')
          .select(['operatorId', 'userId'])
          .where('operatorId', 'in', assistants.map(operatorIdOf))
          .execute();
  return new Map([
    ...senderIds
      .filter((id) => roleOf(id) === 'PATIENT' || roleOf(id) === 'DOCTOR')
      .map((id): [string, string] => [id, uploaderOf({ imUserId: id })]),
    ...rows.flatMap(({ operatorId, userId }): [string, string][] => (userId === null ? [] : [[`A${operatorId}`, userId]])),
  ]);
}

/** Groups among these in which somebody is now. */
async function groupsOf(tx: Tx, imUserId: string, groupIds: readonly string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set();
  const { rows } = await sql<{ groupId: string }>`
    select g.group_id
      from consultation_medical_group g
      join consultation_im_member m on m.conv_id = g.conv_id and m.im_user_id = ${imUserId} and m.left_at is null
      where g.group_id = any(${[...groupIds]}::text[])`.execute(tx);
  return new Set(rows.map(({ groupId }) => groupId));
}

/**
 * The files of these messages that their senders may send: their own uploads, what the conversation has already, what an
 * assistant takes from a prepared reply, and what somebody hands on from another group of his.
 */
async function usable<P extends Place>(tx: Tx, items: readonly { place: P; fileIds: readonly string[] }[]): Promise<Map<P, FileUse[]>> {
  const uses = new Map(
    (
      await usesOf(
        tx,
        items.flatMap(({ fileIds }) => fileIds),
      )
    ).map((use) => [use.fileId, use]),
  );
  const uploaders = await uploadersOf(tx, [...new Set(items.map(({ place }) => place.senderId))]);
  const allowed = new Map<P, FileUse[]>();
  for (const { place, fileIds } of items) {
    const { ownerType, ownerId } = ownerOf(place);
    const known = fileIds.flatMap((id) => uses.get(id) ?? []).filter(({ state, purpose }) => state === 'READY' && purpose === CHAT_PURPOSE);
    const elsewhere = await groupsOf(
      tx,
      place.senderId,
      known.flatMap(({ owners }) => owners.filter((owner) => owner.ownerType === GROUP_OWNER).map((owner) => owner.ownerId)),
    );
    const may = ({ createdBy, owners }: FileUse): boolean =>
      createdBy === uploaders.get(place.senderId) ||
      owners.some(
        (owner) =>
          (owner.ownerType === ownerType && owner.ownerId === ownerId) ||
          (owner.ownerType === GROUP_OWNER && elsewhere.has(owner.ownerId)) ||
          (owner.ownerType === CANNED_TARGET && roleOf(place.senderId) === 'ASSISTANT'),
      );
    allowed.set(place, known.filter(may));
  }
  return allowed;
}

/** Wishes that name a file which their sender may not send. */
export async function unusableFiles(tx: Tx, wishes: readonly SendWish[]): Promise<ReadonlySet<SendWish>> {
  const allowed = await usable(
    tx,
    wishes.map((place) => ({ place, fileIds: place.fileIds })),
  );
  return new Set(wishes.filter((wish) => (allowed.get(wish) ?? []).length < new Set(wish.fileIds).size));
}

/** In the transaction of the messages: what they carry belongs to the conversation from now on, and is kept. */
export async function attachFiles(tx: Tx, messages: readonly StoredMessage[], now: Instant): Promise<void> {
  const carrying = messages
    .filter(({ auto }) => !auto)
    .map((place) => ({ place, fileIds: filesIn(place.payload) }))
    .filter(({ fileIds }) => fileIds.length > 0);
  if (carrying.length === 0) return;
  for (const [place, files] of await usable(tx, carrying)) {
    for (const [userId, own] of Map.groupBy(files, ({ createdBy }) => createdBy)) {
      await attach(
        tx,
        { fileIds: own.map(({ fileId }) => fileId), purpose: CHAT_PURPOSE, ...ownerOf(place), field: 'media', userId: userId ?? '' },
        now,
      );
    }
  }
}

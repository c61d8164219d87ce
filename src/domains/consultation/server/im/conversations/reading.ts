import { sql } from 'kysely';
import { messageRead } from '#events/consultation.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { UNREAD_CAP } from '../../../contract/im/limits.ts';
import type { Answers, RequestOf } from '../../../contract/im/wire.ts';
import { ownTx } from '../../database.ts';
import { appendEvents } from '../sockets/events.ts';
import type { Hub } from '../sockets/hub.ts';
import { conversationIdFor, type ConvName } from '../messages/present.ts';
import { unreadCount } from '../messages/present.ts';
import { refusal, type Refused } from '../messages/sending.ts';
import { lockUsers, type LockedUser } from './conversations.ts';

interface Place {
  readSeq: string;
  clearedSeq: string;
  lastSeq: string;
  isMarked: boolean;
}

const placeOf = (tx: Tx, conv: ConvName, viewer: string): Promise<Place | undefined> =>
  ownTx(tx)
    .selectFrom('consultationImMember as m')
    .innerJoin('consultationImConversation as c', 'c.convId', 'm.convId')
    .select(['m.readSeq', 'm.clearedSeq', 'm.isMarked', 'c.lastSeq'])
    .where('m.convId', '=', conv.convId)
    .where('m.imUserId', '=', viewer)
    .where('m.leftAt', 'is', null)
    .executeTakeFirst();

async function countUnread(tx: Tx, conv: ConvName, viewer: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select ${unreadCount(viewer, UNREAD_CAP)} as n
      from consultation_im_member m
      join consultation_im_conversation c on c.conv_id = m.conv_id
      where m.conv_id = ${conv.convId}::bigint and m.im_user_id = ${viewer}`.execute(tx);
  return rows[0]?.n ?? 0;
}

export type ReadOutcome = (Answers['read'] & { moved: boolean }) | Refused;

/**
 * Moves a read cursor, never back and never beyond the last message. The account's lock makes the counted unread exact at the
 * event's number: what is stored later has a later number.
 */
export async function moveReadCursor(
  writing: Writing,
  hub: Hub,
  conv: ConvName,
  viewer: string,
  readSeq: number,
  now: Instant,
): Promise<ReadOutcome> {
  const users = await lockUsers(writing.tx, [viewer]);
  return moveLocked(writing, hub, conv, viewer, readSeq, now, users);
}

async function moveLocked(
  writing: Writing,
  hub: Hub,
  conv: ConvName,
  viewer: string,
  readSeq: number,
  now: Instant,
  users: Map<string, LockedUser>,
): Promise<ReadOutcome> {
  const { tx } = writing;
  const place = await placeOf(tx, conv, viewer);
  if (!place) return refusal('NOT_MEMBER');
  const before = Number(place.readSeq);
  const after = Math.max(before, Math.min(readSeq, Number(place.lastSeq)));
  if (after === before && !place.isMarked)
    return { readSeq: before, unreadCount: await countUnread(tx, conv, viewer), n: users.get(viewer)!.lastEventSeq, moved: false };
  await ownTx(tx)
    .updateTable('consultationImMember')
    .set({ readSeq: String(after), readAt: now, isMarked: false })
    .where('convId', '=', conv.convId)
    .where('imUserId', '=', viewer)
    .execute();
  const unread = await countUnread(tx, conv, viewer);
  const conversationID = conversationIdFor(conv, viewer);
  const deliveries = await appendEvents(
    tx,
    [{ to: viewer, event: { type: 'readSelf', conversationID, readSeq: after, unreadCount: unread }, convId: conv.convId }],
    now,
    users,
  );
  const others =
    after === before
      ? []
      : await ownTx(tx)
          .selectFrom('consultationImMember')
          .select('imUserId')
          .where('convId', '=', conv.convId)
          .where('imUserId', '<>', viewer)
          .where('leftAt', 'is', null)
          .execute();
  writing.afterCommit(() => {
    hub.deliver({ messages: [], deliveries });
    for (const { imUserId } of others)
      hub.live([imUserId], { type: 'readPeer', conversationID: conversationIdFor(conv, imUserId), userID: viewer, readSeq: after });
  });
  return { readSeq: after, unreadCount: unread, n: users.get(viewer)!.lastEventSeq, moved: after > before };
}

/** Reads everything; @returns the number of the last event and what moved. */
export async function moveAllReadCursors(
  writing: Writing,
  hub: Hub,
  viewer: string,
  now: Instant,
): Promise<{ n: number; moved: { conv: ConvName; readSeq: number }[] }> {
  const users = await lockUsers(writing.tx, [viewer]);
  const open = await ownTx(writing.tx)
    .selectFrom('consultationImMember as m')
    .innerJoin('consultationImConversation as c', 'c.convId', 'm.convId')
    .select(['c.convId', 'c.groupId', 'c.userLow', 'c.userHigh', 'c.lastSeq'])
    .where('m.imUserId', '=', viewer)
    .where('m.leftAt', 'is', null)
    .where((eb) => eb.or([eb('m.readSeq', '<', eb.ref('c.lastSeq')), eb('m.isMarked', '=', true)]))
    .orderBy('c.convId')
    .execute();
  const moved: { conv: ConvName; readSeq: number }[] = [];
  for (const conv of open) {
    const outcome = await moveLocked(writing, hub, conv, viewer, Number(conv.lastSeq), now, users);
    if ('moved' in outcome && outcome.moved) moved.push({ conv, readSeq: outcome.readSeq });
  }
  return { n: users.get(viewer)?.lastEventSeq ?? 0, moved };
}

/** Pin, draft, reminder, mark and hiding: of this user alone. */
export async function changeSetting(
  writing: Writing,
  hub: Hub,
  conv: ConvName,
  viewer: string,
  wish: Omit<RequestOf<'setting'>, 'conversationID'>,
  now: Instant,
): Promise<Answers['setting'] | Refused> {
  const { tx } = writing;
  const users = await lockUsers(tx, [viewer]);
  const place = await placeOf(tx, conv, viewer);
  if (!place) return refusal('NOT_MEMBER');
  const own = {
    ...(wish.isPinned === undefined ? {} : { isPinned: wish.isPinned }),
    ...(wish.draftText === undefined ? {} : { draftText: wish.draftText }),
    ...(wish.remindType === undefined ? {} : { remindType: wish.remindType }),
    ...(wish.isMarked === undefined ? {} : { isMarked: wish.isMarked }),
  };
  const hidden = wish.cleared ? { clearedSeq: place.lastSeq } : {};
  await ownTx(tx)
    .updateTable('consultationImMember')
    .set({ ...own, ...hidden })
    .where('convId', '=', conv.convId)
    .where('imUserId', '=', viewer)
    .execute();
  const conversationID = conversationIdFor(conv, viewer);
  const change = { ...own, ...(wish.cleared ? { clearedSeq: Number(place.lastSeq), unreadCount: 0 } : {}) };
  const deliveries = await appendEvents(
    tx,
    [
      { to: viewer, event: { type: 'conv', conversationID, change }, convId: conv.convId },
      ...(wish.cleared ? [{ to: viewer, event: { type: 'convRemoved' as const, conversationID }, convId: conv.convId }] : []),
    ],
    now,
    users,
  );
  writing.afterCommit(() => hub.deliver({ messages: [], deliveries }));
  return { n: users.get(viewer)!.lastEventSeq };
}

const COALESCE_MS = 5_000;

/** Tells the other domains how far patients have read: the furthest place of five seconds. */
export class ReadReports {
  readonly #kernel: Kernel;
  #waiting = new Map<string, { conversationId: string; imUserId: string; readSeq: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  add(conversationId: string, imUserId: string, readSeq: number): void {
    if (!imUserId.startsWith('P')) return;
    this.#waiting.set(`${conversationId}|${imUserId}`, { conversationId, imUserId, readSeq });
    this.#timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const reports = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (reports.length === 0) return;
    const at = this.#kernel.clock.now();
    await this.#kernel.transactions
      .run('im', async (writing) => {
        for (const report of reports) await writing.publish(messageRead, report.conversationId, { ...report, at });
      })
      .catch((error: unknown) => this.#kernel.log.error({ error }, 'read cursors of patients could not be reported'));
  }
}

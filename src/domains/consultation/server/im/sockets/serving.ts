import type { Socket } from 'socket.io';
import type { Writing } from '#kernel/server/context.ts';
import { SYSTEM_USER } from '../../../contract/im/ids.ts';
import type { MessagePayload } from '../../../contract/im/types.ts';
import { payloadSchemas, type Answers, type LiveSignal, type RequestName, type RequestOf } from '../../../contract/im/wire.ts';
import { own } from '../../database.ts';
import { modifyMessage, recallMessage } from '../messages/changing.ts';
import { listConversations } from '../conversations/conversationList.ts';
import { membersOf } from '../conversations/conversations.ts';
import { changeBlacklist, listMembers, readGroup, readProfiles } from '../conversations/directory.ts';
import type { ImEngine } from '../engine.ts';
import { ensureSingleChat } from '../conversations/groups.ts';
import { readHistory } from '../messages/history.ts';
import type { ConvName } from '../messages/present.ts';
import { changeSetting, moveAllReadCursors, moveReadCursor } from '../conversations/reading.ts';
import { searchMessages } from '../messages/searching.ts';
import { isRefused, refusal, type Refused } from '../messages/sending.ts';
import { checkSign, type Admitted } from './admission.ts';
import { answerInvite, openInvite } from './invites.ts';
import { passOn } from './passing.ts';
import { aliveSince, statusOf } from './presence.ts';
import { syncEvents } from './events.ts';

const KEPT_MS = 2_000;
const rooms = new WeakMap<ImEngine, Map<number, { at: number; members: Promise<readonly string[]> }>>();

/** Whether both stand in this video room; who stands there is asked at most every two seconds. */
async function roomAllows(engine: ImEngine, roomId: number, from: string, to: string): Promise<boolean> {
  const known = rooms.get(engine) ?? new Map<number, { at: number; members: Promise<readonly string[]> }>();
  rooms.set(engine, known);
  const at = performance.now();
  let room = known.get(roomId);
  const isIn = (members: readonly string[]) => members.includes(from) && members.includes(to);
  if (room && at - room.at < KEPT_MS && isIn(await room.members)) return true;
  if (known.size > 500) known.clear();
  room = { at, members: engine.hooks.roomMembers(engine.kernel.db, roomId) };
  known.set(roomId, room);
  return isIn(await room.members);
}

export interface Client {
  userID: string;
  socket: Socket;
}
type Answer<N extends RequestName> = Promise<Answers[N] | Refused>;
export type Serving = { [N in RequestName]: (client: Client, data: RequestOf<N>) => Answer<N> };

/** What the namespace answers, request by request. */
export function serving(engine: ImEngine): Serving {
  const { kernel, hub, names } = engine;
  const { db } = kernel;
  const now = () => kernel.clock.now();
  const write = <T>(work: (writing: Writing) => Promise<T>) => kernel.transactions.run('im', work);

  /** First seq that somebody may read here; null = nothing. */
  const firstReadable = async (viewer: string, conv: ConvName): Promise<number | null> => {
    const member = await own(db)
      .selectFrom('consultationImMember')
      .select(['fromSeq', 'clearedSeq'])
      .where('convId', '=', conv.convId)
      .where('imUserId', '=', viewer)
      .where('leftAt', 'is', null)
      .executeTakeFirst();
    if (member) return Math.max(Number(member.fromSeq), Number(member.clearedSeq) + 1);
    return conv.groupId !== null && (await engine.hooks.mayWatch(db, viewer, conv.groupId)) ? 1 : null;
  };
  const within = async <T>(
    viewer: string,
    conversationID: string,
    work: (conv: ConvName, first: number) => Promise<T>,
  ): Promise<T | Refused> => {
    const conv = await names.find(db, viewer, conversationID);
    const first = conv && (await firstReadable(viewer, conv));
    return conv && first !== null ? work(conv, first) : refusal('NOT_MEMBER');
  };
  const found = async <T>(viewer: string, conversationID: string, work: (conv: ConvName) => Promise<T>): Promise<T | Refused> => {
    const conv = await names.find(db, viewer, conversationID);
    return conv ? work(conv) : refusal('NOT_MEMBER');
  };
  /** A single chat begins with the first message of an assistant. */
  const open = async (viewer: string, conversationID: string): Promise<ConvName | null> => {
    const known = await names.find(db, viewer, conversationID);
    const patient = conversationID.startsWith('C2CP') && viewer.startsWith('A') ? conversationID.slice(3) : null;
    if (known || !patient || (await readProfiles(db, [patient])).length === 0) return known;
    await write((writing) => ensureSingleChat(kernel, writing, viewer, patient, now()));
    return names.find(db, viewer, conversationID);
  };

  return {
    async send({ userID }, data) {
      const payload = payloadSchemas[data.type].safeParse(data.payload);
      if (!payload.success) return refusal('MALFORMED');
      const conv = await open(userID, data.conversationID);
      if (!conv) return refusal('NOT_MEMBER');
      const send = {
        convId: conv.convId,
        senderId: userID,
        clientMsgId: data.clientMsgId,
        type: data.type,
        payload: payload.data as MessagePayload,
        cloudCustomData: data.cloudCustomData ?? '',
        atUserList: data.atUserList ?? [],
        quoteSeq: data.quoteSeq ?? null,
        needReadReceipt: data.needReadReceipt ?? false,
        countsUnread: true,
        origin: 'HUMAN' as const,
        sourceRef: null,
      };
      if (data.onlineUserOnly) {
        const passed = await write((writing) => passOn(writing, engine, conv, send, now()));
        return 'refused' in passed ? passed : { ID: passed.ID, seq: 0, time: Math.floor(passed.at / 1000), duplicate: false };
      }
      const outcome = await engine.queue.add(send);
      return isRefused(outcome)
        ? outcome
        : { ID: outcome.ID, seq: outcome.seq, time: Math.floor(outcome.at / 1000), duplicate: outcome.duplicate };
    },
    async renew({ userID, socket }, { userSig }) {
      const signed = await checkSign(engine, userID, userSig);
      if (typeof signed === 'string') return refusal(signed);
      (socket.data as Admitted).sign = signed.sign;
      return signed.sign;
    },
    sync: ({ userID }, data) => syncEvents(db, userID, data, now()),
    conversations: ({ userID }, { cursor, limit }) => listConversations(db, userID, { limit: limit ?? 50, ...(cursor ? { cursor } : {}) }),
    conversation: ({ userID }, { id }) =>
      found(userID, id, async (conv) => {
        const [conversation] = (await listConversations(db, userID, { only: conv.convId, limit: 1 })).conversations;
        return conversation ? { conversation } : refusal('NOT_MEMBER');
      }),
    members: ({ userID }, data) => within(userID, `GROUP${data.groupID}`, (conv) => listMembers(db, conv, data)),
    group: ({ userID }, { groupID }) => within(userID, `GROUP${groupID}`, (conv) => readGroup(db, conv)),
    profiles: async (_, { ids }) => ({ profiles: await readProfiles(db, ids) }),
    history: ({ userID }, { conversationID, ...wish }) =>
      within(userID, conversationID, (conv, first) => readHistory(db, conv, userID, first, wish)),
    search: ({ userID }, { keyword, conversationID, cursor, limit }) => {
      if (conversationID)
        return within(userID, conversationID, (conv) => searchMessages(db, userID, { keyword, cursor, limit, convIds: [conv.convId] }));
      return [...keyword.trim()].length < 2
        ? Promise.resolve(refusal('MALFORMED', '请至少输入2个字'))
        : searchMessages(db, userID, { keyword, cursor, limit, convIds: null });
    },
    read: ({ userID }, { conversationID, readSeq }) =>
      found(userID, conversationID, async (conv) => {
        const outcome = await write((writing) => moveReadCursor(writing, hub, conv, userID, readSeq, now()));
        if (!('moved' in outcome)) return outcome;
        if (outcome.moved) engine.reads.add(conv.convId, userID, outcome.readSeq);
        return { readSeq: outcome.readSeq, unreadCount: outcome.unreadCount, n: outcome.n };
      }),
    async readAll({ userID }) {
      const { n, moved } = await write((writing) => moveAllReadCursors(writing, hub, userID, now()));
      for (const { conv, readSeq } of moved) engine.reads.add(conv.convId, userID, readSeq);
      return { n };
    },
    revoke: ({ userID }, { conversationID, seq }) =>
      within(userID, conversationID, async (conv) => {
        const outcome = await write((writing) => recallMessage(writing, engine, conv, seq, { imUserId: userID, reason: null }, now()));
        return 'refused' in outcome ? outcome : { message: outcome };
      }),
    modify: ({ userID }, { conversationID, ...change }) =>
      within(userID, conversationID, async (conv) => {
        const payload = payloadSchemas.TIMCustomElem.safeParse(change.payload);
        if (!payload.success || userID === SYSTEM_USER) return refusal('MALFORMED');
        const outcome = await write((writing) => modifyMessage(writing, engine, conv, { ...change, payload: payload.data }, userID, now()));
        return 'refused' in outcome ? outcome : { message: outcome };
      }),
    setting: ({ userID }, { conversationID, ...wish }) =>
      found(userID, conversationID, (conv) => write((writing) => changeSetting(writing, hub, conv, userID, wish, now()))),
    blacklist: async ({ userID }, data) => ({ list: await write((writing) => changeBlacklist(writing, hub, userID, data, now())) }),
    async status({ socket }, { ids, subscribe }) {
      if (subscribe || ids.length === 0) engine.presence.subscribe(socket, ids);
      return { list: await statusOf(db, ids, aliveSince(kernel)) };
    },
    async watch({ userID, socket }, { conversationID, on }) {
      const conv = await names.find(db, userID, conversationID);
      if (!conv?.groupId || (on && !(await engine.hooks.mayWatch(db, userID, conv.groupId)))) return refusal('NOT_ALLOWED');
      hub.watch(conv.convId, socket, on);
      return { lastSeq: (await readGroup(db, conv)).lastSeq };
    },
    invite: ({ userID }, data) =>
      found(userID, `GROUP${data.groupID}`, (conv) => write((writing) => openInvite(engine, writing, conv, userID, data, now()))),
    accept: ({ userID }, { inviteID }) => write((writing) => answerInvite(engine, writing, userID, inviteID, 'ACCEPTED', now())),
    reject: ({ userID }, { inviteID }) => write((writing) => answerInvite(engine, writing, userID, inviteID, 'REJECTED', now())),
    cancel: ({ userID }, { inviteID }) => write((writing) => answerInvite(engine, writing, userID, inviteID, 'CANCELLED', now())),
    async rtc({ userID }, { roomId, to, kind, data }) {
      if (JSON.stringify(data ?? null).length > 64 * 1024 || !(await roomAllows(engine, roomId, userID, to))) return refusal('NOT_ALLOWED');
      hub.live([to], { type: 'rtc', roomId, from: userID, kind, data } satisfies LiveSignal);
      return null;
    },
  };
}

/** Tells the others of a conversation that somebody is typing; only members are believed. */
export async function relayTyping(engine: ImEngine, userID: string, conversationID: string, on: boolean): Promise<void> {
  const conv = await engine.names.find(engine.kernel.db, userID, conversationID);
  const members = conv ? ((await membersOf(engine.kernel.db, [conv.convId])).get(conv.convId) ?? []).map(({ imUserId }) => imUserId) : [];
  if (!conv || !members.includes(userID)) return;
  for (const to of members) {
    if (to !== userID)
      engine.hub.live([to], { type: 'typing', conversationID: conv.groupId === null ? `C2C${userID}` : conversationID, userID, on });
  }
}

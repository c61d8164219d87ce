import * as z from 'zod/mini';
import {
  messageTypes,
  type ImMember,
  type ImProfile,
  type MessagePayload,
  type MessageType,
  type RemindType,
  type UserStatus,
} from './types.ts';
import type { InviteState } from './client.ts';
import { CONVERSATION_ID, GROUP_ID, USER_ID } from './ids.ts';

/** Requests and answers on the namespace `/im`; both sides take them from here. */
export const PROTOCOL = 1;
export const NAMESPACE = '/im';

const conversationID = z.string().check(z.regex(CONVERSATION_ID));
const groupID = z.string().check(z.regex(GROUP_ID));
const userID = z.string().check(z.regex(USER_ID));
const userIDs = (max: number) => z.array(userID).check(z.maxLength(max));
const seq = z.int().check(z.minimum(0));
const text = (max: number) => z.string().check(z.maxLength(max));
const bytes = (max: number) => z.string().check(z.refine((value) => new TextEncoder().encode(value).length <= max));
const fileId = text(64);

export const handshake = z.object({
  v: z.literal(PROTOCOL),
  userID,
  userSig: text(2_000),
  sdkAppID: z.int(),
  device: z.enum(['console', 'wx', 'bot']),
  clientId: z.string().check(z.minLength(8), z.maxLength(64)),
  cursor: z.optional(seq),
});
export type Handshake = z.output<typeof handshake>;

const file = { fileId, fileName: text(200), size: z.int() };
/** Lengths in bytes are a matter of the limits, checked in their order. */
export const payloadSchemas = {
  [messageTypes.TEXT]: z.strictObject({ text: z.string().check(z.minLength(1)) }),
  [messageTypes.IMAGE]: z.strictObject({ ...file, width: z.optional(z.int()), height: z.optional(z.int()) }),
  [messageTypes.AUDIO]: z.strictObject({ ...file, second: z.int().check(z.minimum(0), z.maximum(600)) }),
  [messageTypes.VIDEO]: z.strictObject({ ...file, second: z.optional(z.int()), thumbFileId: z.optional(fileId) }),
  [messageTypes.FILE]: z.strictObject({ fileId, fileName: text(200), fileSize: z.int() }),
  [messageTypes.CUSTOM]: z.strictObject({ data: z.string(), description: text(500), extension: text(2_000) }),
} as const;

/** Types that a client may send; tips are written by the server alone. */
const sendableTypes = [
  messageTypes.TEXT,
  messageTypes.IMAGE,
  messageTypes.AUDIO,
  messageTypes.VIDEO,
  messageTypes.FILE,
  messageTypes.CUSTOM,
] as const;

export const requests = {
  send: z.strictObject({
    clientMsgId: z.uuid(),
    conversationID,
    type: z.enum(sendableTypes),
    payload: z.record(z.string(), z.unknown()),
    cloudCustomData: z.optional(bytes(2_048)),
    quoteSeq: z.optional(seq),
    atUserList: z.optional(userIDs(50)),
    needReadReceipt: z.optional(z.boolean()),
    /** For whoever is connected now; nothing keeps it. */
    onlineUserOnly: z.optional(z.boolean()),
  }),
  /** A new sign for the living connection, before the old one is over. */
  renew: z.strictObject({ userSig: text(2_000) }),
  sync: z.strictObject({ cursor: seq, limit: z.int().check(z.minimum(1), z.maximum(500)) }),
  conversations: z.strictObject({ cursor: z.optional(text(100)), limit: z.optional(z.int().check(z.minimum(1), z.maximum(50))) }),
  conversation: z.strictObject({ id: conversationID }),
  members: z.strictObject({ groupID, count: z.int().check(z.minimum(1), z.maximum(100)), offset: seq, userIDs: z.optional(userIDs(100)) }),
  group: z.strictObject({ groupID }),
  profiles: z.strictObject({ ids: userIDs(100) }),
  history: z.strictObject({
    conversationID,
    beforeSeq: z.optional(seq),
    afterSeq: z.optional(seq),
    aroundSeq: z.optional(seq),
    time: z.optional(z.int()),
    limit: z.int().check(z.minimum(1), z.maximum(100)),
  }),
  search: z.strictObject({
    keyword: z.string().check(z.minLength(1), z.maxLength(30)),
    conversationID: z.optional(conversationID),
    cursor: z.optional(text(100)),
    limit: z.int().check(z.minimum(1), z.maximum(50)),
  }),
  read: z.strictObject({ conversationID, readSeq: seq }),
  readAll: z.strictObject({}),
  revoke: z.strictObject({ conversationID, seq }),
  modify: z.strictObject({
    conversationID,
    seq,
    payload: z.record(z.string(), z.unknown()),
    cloudCustomData: z.optional(bytes(2_048)),
    modifyVersion: z.int(),
  }),
  setting: z.strictObject({
    conversationID,
    isPinned: z.optional(z.boolean()),
    draftText: z.optional(text(2_000)),
    remindType: z.optional(z.enum(['AcceptAndNotify', 'AcceptNotNotify', 'Discard'])),
    isMarked: z.optional(z.boolean()),
    cleared: z.optional(z.literal(true)),
  }),
  blacklist: z.strictObject({ add: z.optional(userIDs(100)), remove: z.optional(userIDs(100)) }),
  status: z.strictObject({ ids: userIDs(100), subscribe: z.boolean() }),
  watch: z.strictObject({ conversationID, on: z.boolean() }),
  invite: z.strictObject({ groupID, inviteeList: userIDs(20), data: bytes(4_096), timeout: z.int().check(z.minimum(5), z.maximum(120)) }),
  accept: z.strictObject({ inviteID: text(64), data: z.optional(bytes(4_096)) }),
  reject: z.strictObject({ inviteID: text(64), data: z.optional(bytes(4_096)) }),
  cancel: z.strictObject({ inviteID: text(64), data: z.optional(bytes(4_096)) }),
  rtc: z.strictObject({
    roomId: z.int().check(z.minimum(1), z.maximum(4_294_967_295)),
    to: userID,
    kind: z.enum(['offer', 'answer', 'ice', 'media', 'bye']),
    data: z.unknown(),
  }),
} as const;
export const typingSchema = z.strictObject({ conversationID, on: z.boolean() });

export type RequestName = keyof typeof requests;
export type RequestOf<N extends RequestName> = z.output<(typeof requests)[N]>;

/** A stored message as it travels; `conversationID` is already the receiver's. */
export interface WireMessage {
  ID: string;
  seq: number;
  conversationID: string;
  clientMsgId: string;
  from: string;
  nick: string;
  avatar: string;
  type: MessageType;
  payload: MessagePayload;
  cloudCustomData: string;
  atUserList: string[];
  quoteSeq: number | null;
  needReadReceipt: boolean;
  countsUnread: boolean;
  auto: boolean;
  /** Milliseconds. */
  at: number;
  isRevoked: boolean;
  revoker: string;
  revokeReason: string;
  modifyVersion: number;
}

export interface WireConversation {
  conversationID: string;
  /** Number of the last event that this picture holds already. */
  asOf: number;
  name: string;
  memberCount: number;
  createTime: number;
  lastSeq: number;
  readSeq: number;
  clearedSeq: number;
  unreadCount: number;
  isMarked: boolean;
  isPinned: boolean;
  remindType: RemindType;
  draftText: string;
  isDissolved: boolean;
  isMentioned: boolean;
  lastMessage: WireMessage | null;
  peer: ImProfile | null;
}

export interface WireInvite {
  inviteID: string;
  conversationID: string;
  groupID: string;
  inviter: string;
  inviteeList: string[];
  data: string;
  state: InviteState;
  by: string;
  expiresAt: string;
}

interface SettingChange {
  isPinned?: boolean;
  draftText?: string;
  remindType?: RemindType;
  isMarked?: boolean;
  clearedSeq?: number;
  unreadCount?: number;
  name?: string;
  isDissolved?: boolean;
}
/** Durable events of one user, numbered without a gap. */
export type WireEvent = { n: number } & (
  | { type: 'msg'; message: WireMessage }
  | { type: 'msgModified'; message: WireMessage }
  | { type: 'msgRevoked'; conversationID: string; seq: number; from: string; countsUnread: boolean; revoker: string; reason: string }
  | { type: 'conv'; conversationID: string; change: SettingChange }
  | { type: 'convRemoved'; conversationID: string }
  | { type: 'member'; conversationID: string; change: 'JOIN' | 'LEAVE' | 'MUTE'; userIDs: string[] }
  | { type: 'readSelf'; conversationID: string; readSeq: number; unreadCount: number }
  | { type: 'invite'; invite: WireInvite }
  | { type: 'profile'; profile: ImProfile }
  | { type: 'blacklist'; list: string[] }
);
/** Life of a user sign, in milliseconds. */
export interface SignLife {
  issuedAt: number;
  endsAt: number;
}

/** Signals that nothing keeps. */
export type LiveSignal =
  | { type: 'typing'; conversationID: string; userID: string; on: boolean }
  | { type: 'presence'; list: UserStatus[] }
  | { type: 'readPeer'; conversationID: string; userID: string; readSeq: number }
  | { type: 'queue'; counts: Record<string, number> }
  | { type: 'watchMsg'; message: WireMessage }
  /** Recalled, or a card with new content, in a conversation that one watches. */
  | { type: 'watchChanged'; message: WireMessage }
  | { type: 'onlineMsg'; message: WireMessage }
  | { type: 'rtc'; roomId: number; from: string; kind: 'offer' | 'answer' | 'ice' | 'media' | 'bye'; data: unknown };

export interface WireHit {
  message: WireMessage;
  snippet: string;
  highlights: [from: number, to: number][];
}

export interface Answers {
  send: { ID: string; seq: number; time: number; duplicate: boolean };
  renew: SignLife;
  sync: { events: WireEvent[]; nextCursor: number; more: boolean; reset: boolean };
  conversations: { conversations: WireConversation[]; nextCursor: string | null };
  conversation: { conversation: WireConversation };
  members: { members: ImMember[]; total: number };
  group: { groupID: string; name: string; memberCount: number; lastSeq: number; createTime: number; isDissolved: boolean };
  profiles: { profiles: ImProfile[] };
  history: { messages: WireMessage[]; isCompleted: boolean };
  search: { hits: WireHit[]; total: number; nextCursor: string | null };
  read: { readSeq: number; unreadCount: number; n: number };
  readAll: { n: number };
  revoke: { message: WireMessage };
  modify: { message: WireMessage };
  setting: { n: number };
  blacklist: { list: string[] };
  status: { list: UserStatus[] };
  watch: { lastSeq: number };
  invite: { inviteID: string };
  accept: null;
  reject: null;
  cancel: null;
  rtc: null;
}
export interface Ready {
  userID: string;
  serverTime: string;
  lastEventSeq: number;
  resumed: boolean;
  sign: SignLife;
}
export type KickReason = 'multipleAccount' | 'multipleDevice' | 'userSigExpired';

import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { instant, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { userRoles } from '../dictionaries.ts';
import { messageTypes } from '../im/types.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { conversationID, groupId, reason } from './shared.ts';

const service = declareService('ImMessageService');
const seq = field('消息编号', z.int('消息序号不正确').check(z.minimum(1, '消息序号不正确')));
const pageSize = (most: number, usual: number) =>
  z._default(z.int('每页条数不正确').check(z.minimum(1, '每页条数不正确'), z.maximum(most, `每页最多${most}条`)), usual);

/** A message as the chat itself brings it; a recalled one has lost its content. */
const storedMessage = z.strictObject({
  ID: z.string(),
  seq: z.int(),
  conversationID: z.string(),
  clientMsgId: z.string(),
  from: z.string(),
  nick: z.string(),
  avatar: z.string(),
  type: z.enum(Object.values(messageTypes)),
  payload: z.record(z.string(), z.unknown()),
  cloudCustomData: z.string(),
  atUserList: z.array(z.string()),
  quoteSeq: z.nullable(z.int()),
  needReadReceipt: z.boolean(),
  countsUnread: z.boolean(),
  auto: z.boolean(),
  /** Milliseconds. */
  at: z.int(),
  isRevoked: z.boolean(),
  revoker: z.string(),
  revokeReason: z.string(),
  modifyVersion: z.int(),
});
export type StoredWire = z.output<typeof storedMessage>;

/** History from the store: beyond what the vendor keeps, for watchers and for transcripts. Each read is in the operation log. */
export const queryStoredMessages = service.read({
  operation: 'queryStoredMessages',
  label: '查看会话记录',
  access: access.session,
  log: 'REVEAL',
  input: {
    conversationID,
    beforeSeq: field('消息位置', z.optional(seq)),
    afterSeq: field('消息位置', z.optional(z.int('消息序号不正确').check(z.minimum(0, '消息序号不正确')))),
    aroundSeq: field('消息位置', z.optional(seq)),
    pageSize: field('每页条数', pageSize(100, 15)),
  },
  output: z.strictObject({ messages: z.array(storedMessage), isCompleted: z.boolean() }),
});
/** Within the groups that one may read, newest first; a single letter is looked for only in one group. */
export const searchMessages = service.read({
  operation: 'searchMessages',
  label: '搜索聊天记录',
  access: may['chat.send'],
  input: {
    keyword: text('关键词', 30, 1),
    groupId: z.optional(groupId),
    senderKind: field('发送人类型', z.optional(z.enum(userRoles.codes, '发送人类型不正确'))),
    type: field('消息类型', z.optional(z.enum(Object.values(messageTypes), '消息类型不正确'))),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
    cursor: field('翻页位置', z.optional(z.string().check(z.regex(/^[0-9T:.Z+-]{10,40}\|\d{1,18}\|\d{1,18}$/, '翻页位置不正确')))),
    pageSize: field('每页条数', pageSize(50, 20)),
  },
  output: z.strictObject({
    hits: z.array(z.strictObject({ message: storedMessage, snippet: z.string(), highlights: z.array(z.tuple([z.int(), z.int()])) })),
    nextCursor: z.nullable(z.string()),
  }),
});
/** At any time, with a reason that stands in the chat; what the message said is kept aside. */
export const revokeMessageBySupervisor = service.act({
  operation: 'revokeMessageBySupervisor',
  label: '撤回他人消息',
  access: may['chat.supervise'],
  message: '已撤回',
  input: { conversationID, seq, reason: reason('撤回原因') },
  output: z.strictObject({ message: storedMessage }),
});
/** What stood there before each recall or change, oldest first; every look is in the operation log. */
export const queryMessageOriginal = service.read({
  operation: 'queryMessageOriginal',
  label: '查看消息原文',
  access: may['message.original'],
  log: 'REVEAL',
  input: { conversationID, seq },
  output: z.strictObject({
    versions: z.array(
      z.strictObject({
        modifyVersion: z.int(),
        type: z.string(),
        payload: z.record(z.string(), z.unknown()),
        byName: z.string(),
        at: z.string(),
        reason: z.nullable(z.string()),
      }),
    ),
  }),
});

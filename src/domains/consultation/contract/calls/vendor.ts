import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { queryStoredMessages } from './messages.ts';
import { conversationID, gateway, host } from './shared.ts';

const service = 'ImMessageService';
const send = access.permission(may['chat.send']);

/**
 * How far one has read at the vendor's SDK; cut to the last message. Reading leaves no row in the operation log, so this counts as a
 * query.
 */
export const reportRead = call({
  host,
  service,
  operation: 'reportRead',
  kind: 'query',
  shape: 'data',
  label: '上报已读位置',
  access: send,
  silent: true,
  input: z.strictObject({ conversationID, readSeq: field('已读位置', z.int('消息序号不正确').check(z.minimum(0, '消息序号不正确'))) }),
  output: z.strictObject({ readSeq: z.int(), unreadCount: z.int() }),
});
/** 隐藏会话 at the vendor's SDK: earlier messages are hidden from this one person here too. */
export const hideConversation = call({
  host,
  service,
  operation: 'hideConversation',
  kind: 'command',
  shape: 'data',
  label: '隐藏会话',
  access: send,
  input: z.strictObject({ conversationID }),
  output: z.null(),
});

/** The same for patients and doctors on their own page. */
const mine = { host: gateway, service: 'WxConsultService', shape: 'data', access: access.participant } as const;
export const queryMyMessages = call({
  ...mine,
  operation: 'queryMyMessages',
  kind: 'query',
  label: '我的聊天记录',
  input: queryStoredMessages.input,
  output: queryStoredMessages.output,
});
export const reportMyRead = call({
  ...mine,
  operation: 'reportMyRead',
  kind: 'query',
  label: '上报已读位置',
  silent: true,
  input: reportRead.input,
  output: reportRead.output,
});
export const hideMyConversation = call({
  ...mine,
  operation: 'hideMyConversation',
  kind: 'command',
  label: '隐藏会话',
  input: hideConversation.input,
  output: hideConversation.output,
});

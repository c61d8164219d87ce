import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { queryStoredMessages } from './messages.ts';
import { conversationID } from './shared.ts';

const service = declareService('ImMessageService');
const send = may['chat.send'];

/**
 * How far one has read at the vendor's SDK; cut to the last message. Reading leaves no row in the operation log, so this counts as a
 * query.
 */
export const reportRead = service.read({
  operation: 'reportRead',
  label: '上报已读位置',
  access: send,
  silent: true,
  input: { conversationID, readSeq: field('已读位置', z.int('消息序号不正确').check(z.minimum(0, '消息序号不正确'))) },
  output: z.strictObject({ readSeq: z.int(), unreadCount: z.int() }),
});
/** 隐藏会话 at the vendor's SDK: earlier messages are hidden from this one person here too. */
export const hideConversation = service.act({
  operation: 'hideConversation',
  label: '隐藏会话',
  access: send,
  input: { conversationID },
  output: z.null(),
});

/** The same for patients and doctors on their own page. */
const mine = declareService('WxConsultService', 'gateway');
export const queryMyMessages = mine.read({
  operation: 'queryMyMessages',
  label: '我的聊天记录',
  access: access.participant,
  input: queryStoredMessages.input,
  output: queryStoredMessages.output,
});
export const reportMyRead = mine.read({
  operation: 'reportMyRead',
  label: '上报已读位置',
  access: access.participant,
  silent: true,
  input: reportRead.input,
  output: reportRead.output,
});
export const hideMyConversation = mine.act({
  operation: 'hideMyConversation',
  label: '隐藏会话',
  access: access.participant,
  input: hideConversation.input,
  output: hideConversation.output,
});

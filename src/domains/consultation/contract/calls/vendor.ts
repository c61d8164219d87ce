import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { conversationID, host } from './shared.ts';

const service = 'ImMessageService';
const send = access.permission(may['chat.send']);

/** How far one has read at the vendor's SDK; cut to the last message. Reading leaves no row in the operation log, so this counts as a query. */
export const reportRead = call({
  host, service, operation: 'reportRead', kind: 'query', shape: 'data', label: '上报已读位置', access: send, silent: true,
  input: z.strictObject({ conversationID, readSeq: z.int('消息序号不正确').check(z.minimum(0, '消息序号不正确')) }), output: z.strictObject({ readSeq: z.int(), unreadCount: z.int() }),
});
/** 隐藏会话 at the vendor's SDK: earlier messages are hidden from this one person here too. */
export const hideConversation = call({
  host, service, operation: 'hideConversation', kind: 'command', shape: 'data', label: '隐藏会话', access: send, input: z.strictObject({ conversationID }), output: z.null(),
});

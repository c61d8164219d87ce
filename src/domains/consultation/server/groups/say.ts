import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import { job } from '../../../../kernel/server/jobs/declaration.ts';

/** What the system says in a group; a repeat of `clientMsgId` is the same message. */
export interface Saying {
  groupId: string;
  clientMsgId: string;
  type: MessageType;
  payload: MessagePayload;
  sourceRef: string | null;
}

/** Says it after the commit that caused it. */
export const sayJob = job<Saying>({
  name: 'consultation.say', label: '发送会话提示', subject: ({ groupId }) => groupId,
  run: () => Promise.reject(new Error('the message store is not joined yet')),
});

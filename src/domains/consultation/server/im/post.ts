import type { MessagePayload, MessageType } from '../../contract/im/types.ts';

/** A message that the server writes, whichever service carries it. */
export interface Post {
  convId: string;
  /** `A…` for an engine that writes in an assistant's name, `SYSTEM` for tips and cards. */
  senderId: string;
  clientMsgId: string;
  type: MessageType;
  payload: MessagePayload;
  cloudCustomData?: string;
  sourceRef?: string | null;
  /** Tips and status cards do not count. */
  countsUnread?: boolean;
}

import { job } from '#kernel/server/jobs/declaration.ts';
import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { messageTypes, type MessagePayload, type MessageType } from '../../contract/im/types.ts';
import { own } from '../database.ts';
import { postStored } from '../im/messages/posting.ts';

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
  name: 'consultation.say',
  label: '发送会话提示',
  subject: ({ groupId }) => groupId,
  async run({ groupId, ...post }, { kernel, db, now, transaction }) {
    const group = await own(db)
      .selectFrom('consultationMedicalGroup')
      .select(['convId', 'archivedAt'])
      .where('groupId', '=', groupId)
      .executeTakeFirst();
    if (!group || group.archivedAt !== null) return;
    await transaction((writing) =>
      postStored(kernel, writing, { ...post, convId: group.convId, senderId: SYSTEM_USER, countsUnread: false }, now),
    );
  },
});

export const tip = (groupId: string, clientMsgId: string, text: string): Saying => ({
  groupId,
  clientMsgId,
  type: messageTypes.TIP,
  payload: { text },
  sourceRef: null,
});

import { send } from '#kernel/web/http/client.ts';
import { queryStoredMessages, searchMessages } from '../../../contract/calls/messages.ts';
import { hideConversation, reportRead } from '../../../contract/calls/vendor.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import { fromWire } from '../messages.ts';
import { wireOf, type StorePort, type TencentOptions } from './ports.ts';
import { TencentImClient } from './tencentImClient.ts';

/** Our own record, over the calls of the staff. */
const staffStore = (me: string): StorePort => ({
  async history({ conversationID, beforeSeq, afterSeq, pageSize }) {
    const { messages, isCompleted } = await send(
      queryStoredMessages,
      { conversationID, pageSize, ...(beforeSeq === undefined ? {} : { beforeSeq }), ...(afterSeq === undefined ? {} : { afterSeq }) },
      { quiet: true },
    );
    return { messages: messages.map(wireOf), isCompleted };
  },
  read: async (o) => void (await send(reportRead, o, { quiet: true })),
  clear: async (o) => void (await send(hideConversation, o, { quiet: true })),
  async search({ keyword, conversationID, cursor, count }) {
    const groupId = conversationID?.startsWith('GROUP') ? conversationID.slice(5) : undefined;
    const { hits, nextCursor } = await send(
      searchMessages,
      { keyword, pageSize: count, ...(groupId ? { groupId } : {}), ...(cursor ? { cursor } : {}) },
      { quiet: true },
    );
    const searchResultList = hits.map(({ message, snippet, highlights }) => ({
      conversationID: message.conversationID as ConversationID,
      message: fromWire(wireOf(message), me),
      snippet,
      highlights,
    }));
    return { searchResultList, totalCount: searchResultList.length, cursor: nextCursor ?? '' };
  },
});

/** The chat of the staff in the vendor's mode. */
export const openTencent = (o: Omit<TencentOptions, 'store'> & { userID: string }): TencentImClient =>
  new TencentImClient({ ...o, store: staffStore(o.userID) });

import { useEffect, useRef, useState } from 'react';
import { titleBadge } from '../../contract/im/limits.ts';
import type { WxClient } from './openClient.ts';

const TITLE = '在线问诊';

/**
 * Unread of each conversation, and the sum in the title. A conversation that is not known yet, or whose state moved, has the list read
 * anew.
 */
export function useUnread(client: WxClient | null, onMoved: () => void): ReadonlyMap<string, number> {
  const [unread, setUnread] = useState<ReadonlyMap<string, number>>(new Map());
  const moved = useRef(onMoved);
  moved.current = onMoved;
  useEffect(() => {
    if (!client) return;
    const count = async () => {
      const { conversationList } = (await client.getConversationList()).data;
      setUnread(new Map(conversationList.map(({ conversationID, unreadCount }) => [conversationID, unreadCount])));
      document.title = `${titleBadge(client.getTotalUnreadMessageCount())}${TITLE}`;
    };
    const onList = () => void count();
    const onMessages = ({ data }: { data: { type: string }[] }) =>
      data.some(({ type }) => type === 'TIMCustomElem' || type === 'TIMGroupTipElem') && moved.current();
    client.on('onConversationListUpdated', onList);
    client.on('onMessageReceived', onMessages);
    onList();
    return () => {
      client.off('onConversationListUpdated', onList);
      client.off('onMessageReceived', onMessages);
    };
  }, [client]);
  return unread;
}

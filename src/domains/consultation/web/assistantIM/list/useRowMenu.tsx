import { useCallback, useRef, type MouseEvent } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useContextMenu, type PopItem } from '#kernel/web/kit/PopMenu.tsx';
import { send } from '#kernel/web/http/client.ts';
import { markGroupUnread } from '../../../contract/calls/groups.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { groupIdOf, type ListRow } from '../desk/listing.ts';
import { useDesk } from '../desk/useDesk.ts';
import { takeAndOpen } from '../desk/queueActions.ts';

const refused = (error: unknown) => toastError(error instanceof Error ? error.message : '操作未完成，请稍后重试');

/** 置顶, 免打扰, 标为未读, 隐藏 of one's own conversations; 接入, 预览 or 旁听 of others. */
export function useRowMenu(onChoose: (id: ConversationID, mode: Mode) => void) {
  const desk = useDesk();
  const { open, menu } = useContextMenu();
  const latest = useRef(open);
  latest.current = open;
  const openMenu = useCallback(
    (event: MouseEvent, row: ListRow) => {
      const { conversation, id, group } = row;
      if (row.mode !== 'MEMBER' || !conversation) {
        const foreign: PopItem[] = [
          ...(group?.canTake ? [{ key: 'take', label: '接入', act: () => void takeAndOpen(desk, group.groupId, onChoose) }] : []),
          { key: 'look', label: row.mode === 'PREVIEW' ? '预览' : '旁听', act: () => onChoose(id, row.mode) },
        ];
        return latest.current(event, foreign);
      }
      const { client } = desk;
      const mark = () => {
        const groupId = groupIdOf(id);
        const wanted = !conversation.isMarked;
        if (groupId) return send(markGroupUnread, { groupId, unread: wanted });
        return client.markUnread?.({ conversationID: id, isMarked: wanted }) ?? Promise.resolve();
      };
      return latest.current(event, [
        {
          key: 'pin',
          label: conversation.isPinned ? '取消置顶' : '置顶',
          act: () => void client.pinConversation({ conversationID: id, isPinned: !conversation.isPinned }).catch(refused),
        },
        {
          key: 'mute',
          label: conversation.remindType === 'AcceptAndNotify' ? '免打扰' : '取消免打扰',
          act: () =>
            void client
              .setMessageRemindType({
                conversationID: id,
                messageRemindType: conversation.remindType === 'AcceptAndNotify' ? 'AcceptNotNotify' : 'AcceptAndNotify',
              })
              .catch(refused),
        },
        { key: 'unread', label: conversation.isMarked ? '取消标为未读' : '标为未读', act: () => void mark().catch(refused) },
        { key: 'hide', label: '隐藏', divided: true, act: () => void client.deleteConversation(id).catch(refused) },
      ]);
    },
    [desk, onChoose],
  );
  return { openMenu, menu };
}

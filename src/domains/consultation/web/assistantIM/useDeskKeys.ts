import { useKeys } from '#kernel/web/keyboard/keys.ts';
import type { ConversationID } from '../../contract/im/types.ts';
import { workMachine } from '../../contract/states.ts';
import type { Mode } from './desk/choose.ts';
import { markDone } from './desk/queueActions.ts';
import { useDesk } from './desk/useDesk.ts';
import { openDialog } from './dialogs/open.ts';
import { shownRows } from './list/useRows.ts';
import { useTakeNext } from './Strip.tsx';

/** Keys of the console; `?` lists them. They go by the key's place and keep clear of the browser's own. */
export function useDeskKeys(onChoose: (id: ConversationID, mode: Mode) => void): void {
  const desk = useDesk();
  const { takeNext } = useTakeNext(onChoose);
  const walk = (step: number) => {
    const rows = shownRows.current;
    const at = rows.findIndex(({ id }) => id === desk.store.getState().chat?.chosen.conversationID);
    const next = rows[at < 0 ? 0 : at + step];
    if (next) onChoose(next.id, next.mode);
  };
  const nextUnread = () => {
    const rows = shownRows.current;
    const at = rows.findIndex(({ id }) => id === desk.store.getState().chat?.chosen.conversationID);
    const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))].find(
      ({ conversation }) => conversation && (conversation.unreadCount > 0 || conversation.isMarked),
    );
    if (next) onChoose(next.id, next.mode);
  };
  /** The open group, where one owns it. */
  const own = () => {
    const { chat, groups, runtime } = desk.store.getState();
    const group = chat ? groups.get(chat.chosen.conversationID.slice(5)) : undefined;
    return group && group.ownerAssistantId === runtime?.assistant.assistantId ? group : undefined;
  };
  const done = (next: boolean) => {
    const group = own();
    if (group && workMachine.canStart('done', group.workState)) void markDone(desk, group, next, onChoose);
  };
  useKeys([
    { keys: 'Alt+ArrowUp', label: '上一个会话', inFields: true, act: () => walk(-1) },
    { keys: 'Alt+ArrowDown', label: '下一个会话', inFields: true, act: () => walk(1) },
    { keys: 'Alt+U', label: '下一个未读会话', inFields: true, act: nextUnread },
    { keys: 'Alt+G', label: '接入下一位', inFields: true, act: takeNext },
    { keys: 'Alt+K', label: '标记已处理', inFields: true, act: () => done(false) },
    { keys: 'Alt+Shift+K', label: '处理并下一位', inFields: true, act: () => done(true) },
    {
      keys: 'Alt+S',
      label: '稍后处理',
      inFields: true,
      act: () => {
        const group = own();
        if (group?.workState === 'SERVING') openDialog({ kind: 'snooze', group });
      },
    },
    {
      keys: 'Alt+T',
      label: '转接',
      inFields: true,
      act: () => {
        const group = own();
        if (group && workMachine.canStart('transfer', group.workState)) openDialog({ kind: 'transfer', group });
      },
    },
  ]);
}

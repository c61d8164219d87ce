import { useFinder } from '#kernel/web/keyboard/finders.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { foreignRow, ownRows, sorted } from '../desk/listing.ts';
import { useDesk } from '../desk/useDesk.ts';

const MOST = 12;

/** Ctrl+K finds a conversation by the name of patient, doctor or group, those with the last message first. */
export function useConversationFinder(onChoose: (id: ConversationID, mode: Mode) => void): void {
  const desk = useDesk();
  useFinder((text) => {
    const { conversations, groups, queue } = desk.store.getState();
    const waiting = queue.filter(({ member }) => !member).map((group) => foreignRow(group, conversations));
    return sorted([...ownRows([...conversations.values()], groups), ...waiting], 'lastMessage')
      .filter(({ name, group }) => `${name} ${group?.suffererName ?? ''} ${group?.doctorName ?? ''}`.includes(text))
      .slice(0, MOST)
      .map(({ id, mode, name, group }) => ({
        key: `conversation ${id}`,
        title: name,
        trail: `会话 ${mode === 'PREVIEW' ? '待接入' : (group?.doctorName ?? '')}`,
        act: () => onChoose(id, mode),
      }));
  });
}

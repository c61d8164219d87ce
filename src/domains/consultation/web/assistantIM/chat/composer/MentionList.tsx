import { useEffect, useMemo, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { queryDutyBoard } from '../../../../contract/calls/queue.ts';
import { useDeskState } from '../../desk/useDesk.ts';

export interface Mentionable {
  userID: string;
  nick: string;
  assistantId?: string;
}

/** Whom an @ may name: members in a reply, colleagues in a note. */
export function useMentionable(isNote: boolean): readonly Mentionable[] {
  const members = useDeskState((state) => state.chat?.members);
  const me = useDeskState((state) => state.runtime?.assistant);
  const board = useData(queryDutyBoard, {}, { enabled: isNote, quiet: true, fresh: 60_000 });
  return useMemo(
    () =>
      isNote
        ? (board.data ?? [])
            .filter(({ assistantId }) => assistantId !== me?.assistantId)
            .map(({ assistantId, name }) => ({ userID: assistantId, nick: name, assistantId }))
        : (members ?? []).filter(({ userID }) => userID !== `A${me?.operatorId}`),
    [isNote, board.data, members, me],
  );
}

/** The names to choose from while an @ is typed; keys work while the field keeps the focus. */
export function MentionList({ people, onPick, onClose }: { people: readonly Mentionable[]; onPick(nick: string): void; onClose(): void }) {
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, people.length - 1);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const act = {
        ArrowDown: () => setAt(Math.min(chosen + 1, people.length - 1)),
        ArrowUp: () => setAt(Math.max(0, chosen - 1)),
        Enter: () => onPick(people[chosen]?.nick ?? ''),
        Tab: () => onPick(people[chosen]?.nick ?? ''),
        Escape: onClose,
      }[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, [chosen, people, onPick, onClose]);
  return (
    <ul className="im-pop" role="listbox" aria-label="提醒成员">
      {people.map(({ userID, nick }, index) => (
        <li key={userID} role="option" aria-selected={index === chosen} onMouseDown={(event) => (event.preventDefault(), onPick(nick))}>
          @{nick}
        </li>
      ))}
    </ul>
  );
}

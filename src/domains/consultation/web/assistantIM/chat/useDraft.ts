import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationID } from '../../../contract/im/types.ts';
import { useDesk } from '../desk/useDesk.ts';

const KEEP_MS = 1500;

/** The unsent text of a conversation: kept with it while one is elsewhere, on every device. */
export function useDraft(id: ConversationID): { text: string; setText(value: string): void } {
  const desk = useDesk();
  const [text, show] = useState(() => desk.store.getState().conversations.get(id)?.draftText ?? '');
  const latest = useRef(text);
  const kept = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    if (latest.current === kept.current || desk.store.getState().chat?.chosen.mode === 'PREVIEW') return;
    kept.current = latest.current;
    desk.chat.keepDraft(id, latest.current.startsWith('/') ? '' : latest.current);
  }, [desk, id]);
  const setText = useCallback(
    (value: string) => {
      latest.current = value;
      show(value);
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, KEEP_MS);
    },
    [keep],
  );
  useEffect(() => keep, [keep]);
  return { text, setText };
}

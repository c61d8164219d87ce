import { useEffect, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { callerOf } from '#kernel/web/session/store.ts';
import { getFileUrl } from '#domains/files/contract/calls/objects.ts';
import { groupIdOf } from '../../desk/listing.ts';
import { useDeskState } from '../../desk/useDesk.ts';

/** Pictures that were fetched once stay for the page's life. */
const kept = new Map<string, Promise<string>>();
const MOST_KEPT = 300;

async function fetchFile(fileId: string, use: 'THUMB' | 'PREVIEW', groupId: string | null): Promise<string> {
  const facts = await send(
    getFileUrl,
    { fileId, use, ...(groupId ? { ownerType: 'consultation.group', ownerId: groupId } : {}) },
    { quiet: true },
  );
  const response = await fetch(facts.url, { headers: { Authorization: callerOf().authorization ?? '' } });
  if (!response.ok) throw new Error('unreadable');
  return URL.createObjectURL(await response.blob());
}

/**
 * An address under which the page shows a stored file; asked for once it is wanted, and again when it failed. `isOwn`: a file that is not
 * the group's.
 */
export function useSigned(
  fileId: string,
  use: 'THUMB' | 'PREVIEW',
  { wanted = true, isOwn = false }: { wanted?: boolean; isOwn?: boolean } = {},
): { url: string | null; failed: boolean; retry(): void } {
  const groupId = useDeskState((state) => (state.chat && !isOwn ? groupIdOf(state.chat.chosen.conversationID) : null));
  const [url, setUrl] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!wanted || fileId === '') return undefined;
    let gone = false;
    const key = `${use}:${fileId}`;
    const asked = kept.get(key) ?? fetchFile(fileId, use, groupId);
    kept.set(key, asked);
    if (kept.size > MOST_KEPT) {
      const [oldest] = kept.keys();
      if (oldest && oldest !== key) {
        void kept.get(oldest)?.then(URL.revokeObjectURL, () => {});
        kept.delete(oldest);
      }
    }
    asked.then(
      (found) => !gone && (setUrl(found), setFailed(false)),
      () => {
        kept.delete(key);
        if (!gone) setFailed(true);
      },
    );
    return () => void (gone = true);
  }, [fileId, use, groupId, wanted, round]);
  return { url, failed, retry: () => (setFailed(false), setRound((count) => count + 1)) };
}

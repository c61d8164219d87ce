import { useEffect, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { callerOf } from '#kernel/web/session/store.ts';
import { getFileUrl } from '../../contract/calls/objects.ts';

export type Shown =
  | { kind: 'picture' | 'audio' | 'video'; url: string }
  | { kind: 'table'; rows: readonly (readonly string[])[] }
  | { kind: 'none' };

interface Asked {
  fileId: string;
  page: number;
  ownerType?: string | undefined;
  ownerId?: string | undefined;
}

/** Bytes behind a signed address; the address is this session's, so the request carries its token. */
export async function fetchSigned(url: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, { headers: { Authorization: callerOf().authorization ?? '' }, ...(signal && { signal }) });
  if (!response.ok) throw new Error('unreadable');
  return response;
}

function kindOf(contentType: string): Shown['kind'] {
  if (contentType.startsWith('image/')) return 'picture';
  if (contentType.startsWith('audio/')) return 'audio';
  if (contentType.startsWith('video/')) return 'video';
  return contentType === 'application/json' ? 'table' : 'none';
}

interface State {
  shown: Shown | null;
  pageCount: number | null;
  original: boolean;
  fault: string | null;
}

const WAITING: State = { shown: null, pageCount: null, original: false, fault: null };

/** What one page of a file looks like; asks again for every page, because the mark carries the time. */
export function useShown({ fileId, page, ownerType, ownerId }: Asked): State {
  const [state, setState] = useState<State>(WAITING);
  useEffect(() => {
    const control = new AbortController();
    let made: string | null = null;
    setState((last) => ({ ...last, fault: null }));
    void (async () => {
      try {
        const facts = await send(
          getFileUrl,
          { fileId, use: 'PREVIEW', page, ...(ownerType ? { ownerType } : {}), ...(ownerId ? { ownerId } : {}) },
          { quiet: true, signal: control.signal },
        );
        const kind = kindOf(facts.contentType);
        const known = { pageCount: facts.pageCount, original: facts.original, fault: null };
        if (kind === 'none') return setState({ ...known, shown: { kind } });
        const response = await fetchSigned(facts.url, control.signal);
        if (kind === 'table') return setState({ ...known, shown: { kind, rows: ((await response.json()) as { rows: string[][] }).rows } });
        made = URL.createObjectURL(await response.blob());
        setState({ ...known, shown: { kind, url: made } });
      } catch (error) {
        if (!control.signal.aborted) setState({ ...WAITING, fault: failureText(error) });
      }
    })();
    return () => {
      control.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [fileId, page, ownerType, ownerId]);
  return state;
}

import { useEffect, useState } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import type { SearchHit } from '../../../contract/im/types.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { dividerTime } from '../times.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const DEBOUNCE_MS = 300;

function Marked({ hit }: { hit: SearchHit }) {
  const { snippet, highlights } = hit;
  const pieces = [];
  let at = 0;
  for (const [from, to] of highlights) {
    pieces.push(snippet.slice(at, from), <mark key={from}>{snippet.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {pieces}
      {snippet.slice(at)}
    </>
  );
}

/** Words in the open conversation; a hit leads to its message. */
export function SearchPanel({ onClose }: { onClose(): void }) {
  const desk = useDesk();
  const id = useDeskState((state) => state.chat?.chosen.conversationID);
  const [word, setWord] = useState('');
  const [found, setFound] = useState<{ hits: readonly SearchHit[]; cursor: string; total: number } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const keyword = word.trim();
    setFound(null);
    if (keyword === '' || !id) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      setBusy(true);
      desk.client
        .searchCloudMessages({ keywordList: [keyword], conversationID: id })
        .then(
          ({ data }) => !gone && setFound({ hits: data.searchResultList, cursor: data.cursor, total: data.totalCount }),
          (error: unknown) => !gone && toastError(error instanceof Error ? error.message : '搜索失败，请重试'),
        )
        .finally(() => setBusy(false));
    }, DEBOUNCE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [desk, word, id]);
  const more = async () => {
    if (!found || !id || busy) return;
    setBusy(true);
    try {
      const { data } = await desk.client.searchCloudMessages({ keywordList: [word.trim()], conversationID: id, cursor: found.cursor });
      setFound({ hits: [...found.hits, ...data.searchResultList], cursor: data.cursor, total: data.totalCount });
    } catch (error) {
      toastError(error instanceof Error ? error.message : '搜索失败，请重试');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="im-search">
      <TextInput
        autoFocus
        allowClear
        placeholder="搜索本会话的聊天记录"
        most={30}
        value={word}
        onChange={({ target }) => setWord(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
      <button type="button" className="kq-link" onClick={onClose}>
        关闭
      </button>
      {busy && !found && <p className="kq-muted">搜索中…</p>}
      {found && (
        <ul>
          {found.hits.map((hit) => (
            <li key={hit.message.ID}>
              <button type="button" onClick={() => void desk.chat.jumpTo(hit.message.sequence)}>
                <b>{hit.message.nick || '我'}</b>
                <time>{dividerTime(hit.message.time)}</time>
                <span>
                  <Marked hit={hit} />
                </span>
              </button>
            </li>
          ))}
          {found.hits.length === 0 && <li className="kq-muted">没有找到“{word.trim()}”</li>}
          {found.cursor !== '' && (
            <li>
              <button type="button" className="kq-link" disabled={busy} onClick={() => void more()}>
                加载更多
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

import { useEffect, useMemo, useState } from 'react';
import { failureText } from '#kernel/web/http/refusal.ts';
import { send } from '#kernel/web/http/client.ts';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { queryCannedReplyList, renderCannedReply, useCannedReply, type CannedRow } from '../../../../contract/calls/canned.ts';
import { cannedScopes } from '../../../../contract/dictionaries.ts';
import { groupIdOf } from '../../desk/listing.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';
import { kindOfFile } from './composing.ts';
import { matching } from './composing.ts';

const ALL = 999;
const SHOWN = 30;
const inView = (item: HTMLElement | null) => item?.scrollIntoView({ block: 'nearest' });

interface ListProps {
  /** What stands behind the slash. */
  typed: string;
  /** `sent` is to be called once the text went out. */
  onPick(text: string, sent: () => void): void;
  onClose(): void;
}

/** Prepared texts by shortcut, title or pinyin, with their variables filled for this patient. */
export function CannedList({ typed, onPick, onClose }: ListProps) {
  const desk = useDesk();
  const id = useDeskState((state) => state.chat?.chosen.conversationID ?? '');
  const list = useList(queryCannedReplyList, { pageNo: 1, pageSize: ALL, enabled: true }, { quiet: true, fresh: 60_000 });
  const [category, setCategory] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const categories = [...new Set((list.rows ?? []).map((row) => row.category))];
  const found = useMemo(
    () =>
      matching(
        (list.rows ?? []).filter((row) => category === null || row.category === category),
        typed,
      ).slice(0, SHOWN),
    [list.rows, category, typed],
  );
  const chosen = found[Math.min(at, found.length - 1)];
  const where = groupIdOf(id) === null ? { conversationID: id } : { groupId: groupIdOf(id)! };
  const preview = useData(
    renderCannedReply,
    { id: chosen?.id ?? '', ...where },
    { enabled: chosen !== undefined, quiet: true, fresh: 30_000 },
  );
  const pick = async (row: CannedRow) => {
    const filled = await send(renderCannedReply, { id: row.id, ...where }).catch(() => null);
    onPick(filled?.text ?? row.content, () => void send(useCannedReply, { id: row.id }, { quiet: true }).catch(() => {}));
    for (const file of row.attachments) void desk.chat.sendFile(kindOfFile({ name: file.fileName }), file);
  };
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const act = {
        ArrowDown: () => setAt((now) => Math.min(now + 1, found.length - 1)),
        ArrowUp: () => setAt((now) => Math.max(0, now - 1)),
        Enter: () => chosen && void pick(chosen),
        Escape: onClose,
      }[event.key];
      if (!act || (event.key === 'Enter' && !chosen)) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  });
  return (
    <div className="im-canned">
      <nav aria-label="分类">
        <button type="button" aria-pressed={category === null} onClick={() => setCategory(null)}>
          全部
        </button>
        {categories.map((name) => (
          <button key={name} type="button" aria-pressed={category === name} onClick={() => (setCategory(name), setAt(0))}>
            {name}
          </button>
        ))}
        <button type="button" className="im-close" aria-label="关闭快捷回复" onClick={onClose}>
          ×
        </button>
      </nav>
      <div>
        <ul role="listbox" aria-label="快捷回复">
          {found.map((row, index) => (
            <li
              key={row.id}
              ref={row === chosen ? inView : undefined}
              role="option"
              aria-selected={row === chosen}
              onMouseMove={() => setAt(index)}
              onMouseDown={(event) => (event.preventDefault(), void pick(row))}
            >
              <b>{row.title}</b>
              <code>/{row.shortcut}</code>
              {row.scope === 'PRIVATE' && <i className="im-tag">{cannedScopes.label('PRIVATE')}</i>}
            </li>
          ))}
          {found.length === 0 && (
            <li className="kq-muted">
              {list.error ? (
                <>
                  快捷回复加载失败：{failureText(list.error)}
                  <button type="button" className="kq-link" onMouseDown={(event) => (event.preventDefault(), void list.refetch())}>
                    重试
                  </button>
                </>
              ) : list.rows === undefined ? (
                '加载中…'
              ) : (
                '没有符合的快捷回复'
              )}
            </li>
          )}
        </ul>
        {chosen && (
          <section aria-label="预览">
            <p>{preview.data?.text ?? chosen.content}</p>
            {preview.data && preview.data.unresolved.length > 0 && (
              <p className="kq-danger">请先补全变量：{preview.data.unresolved.join('、')}</p>
            )}
            {chosen.attachments.length > 0 && (
              <p className="kq-muted">附件：{chosen.attachments.map(({ fileName }) => fileName).join('、')}</p>
            )}
          </section>
        )}
      </div>
    </div>
  );
}

import { useEffect, useRef, useState, type KeyboardEvent, type UIEvent } from 'react';
import { useMay } from '#kernel/web/session/store.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import type { Mode } from '../desk/choose.ts';
import type { ListFilters, ListRow, ListTab } from '../desk/listing.ts';
import { useDesk, useDeskState, useNow } from '../desk/useDesk.ts';
import { Failed } from '../Failed.tsx';
import { Layer } from '../Layer.tsx';
import { ListFilterPanel } from '../lazyDialogs.ts';
import { ConversationRow, ROW_HEIGHT } from './ConversationRow.tsx';
import { shownRows, useRows } from './useRows.ts';
import { useRowMenu } from './useRowMenu.tsx';

const AHEAD = 6;
const EMPTY: Record<ListTab, string> = {
  mine: '暂无会话',
  queued: '暂无待接入的会话，有新患者时会提醒您',
  snoozed: '没有稍后处理的会话',
  helping: '没有协助中的会话',
  all: '没有符合条件的会话',
};

/** Left column: tabs, filters, and only those rows that are seen. */
export function ConversationList({ onChoose }: { onChoose(id: ConversationID, mode: Mode): void }) {
  const desk = useDesk();
  const mayWatch = useMay()(may['chat.watch']);
  const counts = useDeskState((state) => state.counts);
  const chosen = useDeskState((state) => state.chat?.chosen.conversationID);
  const [tab, setTab] = useState<ListTab>('mine');
  const [filters, setFilters] = useState<ListFilters>({});
  const [panel, setPanel] = useState(false);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const box = useRef<HTMLDivElement>(null);
  const now = useNow();
  const { rows, loading, fault, retry, hasMore, more } = useRows(tab, filters, now);
  const { openMenu, menu } = useRowMenu(onChoose);
  shownRows.current = rows;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    box.current?.scrollTo({ top: 0 });
    setTop(0);
  }, [tab]);
  // A choice by key brings its row into view.
  useEffect(() => {
    const index = shownRows.current.findIndex(({ id }) => id === chosen);
    const element = box.current;
    if (index < 0 || !element) return;
    const at = index * ROW_HEIGHT;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = at + ROW_HEIGHT - element.clientHeight;
  }, [chosen]);
  const scroll = (event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    setTop(scrollTop);
    if (hasMore && scrollTop + clientHeight > scrollHeight - 4 * ROW_HEIGHT) more();
  };
  const open = (row: ListRow) => onChoose(row.id, row.mode);
  /** By a click: what is typed next belongs into the conversation. */
  const openToWrite = (row: ListRow) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    open(row);
    desk.focusComposer();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step || event.altKey) return;
    event.preventDefault();
    const next = rows[rows.findIndex(({ id }) => id === chosen) + step];
    if (next) open(next);
  };
  const active = Object.values(filters).filter(
    (value) => value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
  ).length;
  const tabs: readonly { key: ListTab; label: string }[] = [
    { key: 'mine', label: '我的' },
    { key: 'queued', label: `待接入${counts.queued > 0 ? `(${counts.queued})` : ''}` },
    { key: 'snoozed', label: `稍后${counts.snoozed > 0 ? `(${counts.snoozed})` : ''}` },
    { key: 'helping', label: '协助' },
    ...(mayWatch ? [{ key: 'all' as const, label: '全部' }] : []),
  ];
  const from = Math.max(0, Math.floor(top / ROW_HEIGHT) - AHEAD);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW_HEIGHT) + AHEAD);
  return (
    <section className="im-list" aria-label="会话列表">
      <div className="im-tabs" role="tablist">
        {tabs.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={tab === key}
            title={key === 'snoozed' ? '稍后处理' : undefined}
            onClick={() => setTab(key)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="im-find">
        <input
          type="search"
          placeholder="患者或会话名称"
          aria-label="患者或会话名称"
          value={filters.suffererName ?? ''}
          onChange={({ target }) => setFilters({ ...filters, suffererName: target.value || undefined })}
        />
        <button type="button" className={active > 0 ? 'kq-link im-on' : 'kq-link'} aria-expanded={panel} onClick={() => setPanel(!panel)}>
          筛选{active > 0 ? `(${active})` : ''}
        </button>
      </div>
      {panel && (
        <Layer>
          <ListFilterPanel filters={filters} tab={tab} onChange={setFilters} onTab={setTab} onClose={() => setPanel(false)} />
        </Layer>
      )}
      {fault !== null && <Failed what={tab === 'queued' ? '待接入会话' : '会话'} error={fault} onRetry={retry} />}
      <div ref={box} className="im-rows" role="listbox" aria-label="会话" tabIndex={0} onScroll={scroll} onKeyDown={onKey}>
        {rows.length === 0 ? (
          fault === null && (
            <p className="im-none">{loading ? '加载中…' : active > 0 ? '没有符合条件的会话，请调整筛选条件' : EMPTY[tab]}</p>
          )
        ) : (
          <div style={{ height: rows.length * ROW_HEIGHT + (hasMore ? 32 : 0), position: 'relative' }}>
            {rows.slice(from, to).map((row, index) => (
              <ConversationRow
                key={row.id}
                row={row}
                top={(from + index) * ROW_HEIGHT}
                chosen={row.id === chosen}
                now={now}
                mine={desk.store.getState().runtime?.assistant.assistantId ?? ''}
                onOpen={openToWrite}
                onMenu={openMenu}
              />
            ))}
            {hasMore && (
              <p className="im-more" style={{ top: rows.length * ROW_HEIGHT }}>
                {loading ? (
                  '加载中…'
                ) : (
                  <button type="button" className="kq-link" onClick={more}>
                    加载更多
                  </button>
                )}
              </p>
            )}
          </div>
        )}
      </div>
      {menu}
    </section>
  );
}

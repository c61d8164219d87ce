import { Button, ConfigProvider, Select } from 'antd';
import { DayRangeInput } from '#kernel/web/form/DayRangeInput.tsx';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Call } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useKeys, type Shortcut } from '#kernel/web/keyboard/keys.ts';
import { MoreList } from '../shared/MoreList.tsx';
import type { More } from '../shared/useMore.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';

export interface QueueFilter {
  keyword?: string;
  from?: string;
  to?: string;
  state?: string;
}

interface QueueViewProps<Row> {
  list: More<Row>;
  keyOf(row: Row): string;
  /** Two lines of the list. */
  line(row: Row): ReactNode;
  detail(row: Row): ReactNode;
  /** Acts on the shown case by key. */
  shortcuts(row: Row): readonly Shortcut[];
  filter: QueueFilter;
  onFilter(filter: QueueFilter): void;
  /** Choices of the state; absent: the queue has one. */
  states?: readonly { value: string; label: string }[];
  keywordHint: string;
  withDays?: boolean;
  /** What the queue shows as a table, for who may decide it. */
  exporting?: { call: Call; filters: object; permission: { code: string } };
  /** A form stands over the queue: it rests. */
  resting?: boolean;
}

function Keys({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  useKeys(shortcuts);
  return null;
}

/**
 * A queue of cases: list left, the case right; J and K move, further keys decide. No `useAuditDesk`: a row is the whole case, no
 * call reads one.
 */
export function QueueView<Row>(props: QueueViewProps<Row>) {
  const { list, keyOf, filter, onFilter, resting = false } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [keyword, setKeyword] = useState(filter.keyword ?? '');
  const rows = list.rows ?? [];
  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === chosen),
  );
  const last = useRef(0);
  const current = rows[chosen === null || rows.some((row) => keyOf(row) === chosen) ? at : Math.min(last.current, rows.length - 1)];
  const now = current === undefined ? 0 : rows.indexOf(current);
  useEffect(() => {
    last.current = now;
  }, [now]);
  const go = (step: 1 | -1) => {
    const next = rows[now + step];
    if (next) setChosen(keyOf(next));
    else if (step > 0) list.more?.();
  };
  const shortcuts: Shortcut[] = [
    { keys: 'J', label: '下一件', act: () => go(1) },
    { keys: 'K', label: '上一件', act: () => go(-1) },
    ...(current ? props.shortcuts(current) : []),
  ];
  return (
    <>
      {!resting && <Keys shortcuts={shortcuts} />}
      <div className="pa-toolbar">
        <TextSearch
          size="small"
          style={{ width: 240 }}
          allowClear
          most={40}
          aria-label={props.keywordHint}
          placeholder={props.keywordHint}
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
          onSearch={(typed) => onFilter({ ...filter, keyword: typed.trim() })}
        />
        {props.states && (
          <Select
            size="small"
            style={{ width: 130 }}
            aria-label="状态"
            value={filter.state ?? ''}
            options={[...props.states]}
            onChange={(state: string) => onFilter({ ...filter, state })}
          />
        )}
        {props.withDays && (
          <DayRangeInput
            inline
            size="small"
            aria-label="日期"
            value={[filter.from || null, filter.to || null]}
            onChange={([from, to]) => onFilter({ ...filter, from: from ?? '', to: to ?? '' })}
          />
        )}
        <span className="pa-toolbar-end">
          <span className="kq-muted">{rows.length > 0 && `第 ${now + 1} / ${rows.length}${list.more ? '+' : ''} 件`}</span>
          {props.exporting && rows.length > 0 && (
            <ConfigProvider componentSize="small">
              <ExportButton
                call={props.exporting.call}
                view={{ filters: props.exporting.filters }}
                permission={props.exporting.permission}
              />
            </ConfigProvider>
          )}
          <Button size="small" disabled={now === 0} onClick={() => go(-1)}>
            上一件 K
          </Button>
          <Button size="small" disabled={now >= rows.length - 1 && !list.more} onClick={() => go(1)}>
            下一件 J
          </Button>
        </span>
      </div>
      {rows.length === 0 ? (
        <MoreList list={list} empty="没有待办">
          {() => null}
        </MoreList>
      ) : (
        <div className="pa-queue-split">
          <div className="pa-queue-list">
            <MoreList list={list} empty="">
              {(shown) =>
                shown.map((row) => (
                  <button
                    key={keyOf(row)}
                    type="button"
                    className="pa-queue-row"
                    aria-current={row === current}
                    onClick={() => setChosen(keyOf(row))}
                  >
                    {props.line(row)}
                  </button>
                ))
              }
            </MoreList>
          </div>
          <div key={current ? keyOf(current) : ''}>{current && props.detail(current)}</div>
        </div>
      )}
    </>
  );
}

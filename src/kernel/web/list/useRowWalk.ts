import type { RefObject } from 'react';
import { openLayers } from '../keyboard/escapeStack.ts';
import { useKeys } from '../keyboard/keys.ts';

const ROWS = '[role=rowgroup] > .kq-tr';
const FIRST_FILTER = '.kq-search input:not([type=hidden])';

/** A list walked without a mouse: J and K go from row to row, Enter opens the one that is marked, `/` leads to the first filter. */
export function useRowWalk(list: RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1) => {
    // What is open over the page has the keys.
    if (openLayers().length > 0 && !list.current?.closest('[role=dialog]')) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = at === -1 ? rows.at(by === 1 ? 0 : -1) : rows[at + by];
    next?.focus();
  };
  useKeys([
    { keys: 'J', label: '下一行', act: () => step(1) },
    { keys: 'K', label: '上一行', act: () => step(-1) },
    { keys: '/', label: '到第一个筛选条件', act: () => list.current?.querySelector<HTMLElement>(FIRST_FILTER)?.focus() },
  ]);
}

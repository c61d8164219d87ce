import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Selection } from './selection.ts';

interface SelectBoxProps<Row> {
  selection: Selection<Row>;
  rowKey: string;
  row: Row;
}

/** Tick box of one row; only itself renders when it is ticked. */
export function SelectBox<Row>({ selection, rowKey, row }: SelectBoxProps<Row>) {
  const chosen = useSyncExternalStore(selection.subscribe, () => selection.has(rowKey));
  return (
    <input
      type="checkbox"
      className="kq-check"
      aria-label="选择此行"
      checked={chosen}
      onChange={(event) => selection.set([[rowKey, row]], event.target.checked)}
      onClick={(event) => event.stopPropagation()}
    />
  );
}

interface SelectAllProps<Row> {
  selection: Selection<Row>;
  rows: readonly (readonly [string, Row])[];
}

/** Tick box of the header: all rows of this page. */
export function SelectAll<Row>({ selection, rows }: SelectAllProps<Row>) {
  const count = useSyncExternalStore(selection.subscribe, () => rows.filter(([key]) => selection.has(key)).length);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && count < rows.length;
  }, [count, rows.length]);
  return (
    <input
      ref={box}
      type="checkbox"
      className="kq-check"
      aria-label="选择本页全部"
      checked={rows.length > 0 && count === rows.length}
      onChange={(event) => selection.set(rows, event.target.checked)}
    />
  );
}

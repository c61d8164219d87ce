import { useRef } from 'react';
import type { PointerEvent } from 'react';

const LEAST = 60;
const MOST = 600;

interface ColumnTitleProps {
  title: string;
  width: number;
  /** Absent: the width is fixed. */
  onResize?(width: number): void;
  /** How the list is sorted by this column now; undefined where it cannot be. */
  direction?: 'ascending' | 'descending' | null;
  onSort?(): void;
}

/** Column title: a click sorts where the list can be sorted by it; the handle at its right edge sets the width when it is let go. */
export function ColumnTitle({ title, width, onResize, direction, onSort }: ColumnTitleProps) {
  const start = useRef<number | null>(null);
  const down = (event: PointerEvent<HTMLSpanElement>) => {
    start.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const up = (event: PointerEvent<HTMLSpanElement>) => {
    if (start.current === null) return;
    const moved = event.clientX - start.current;
    start.current = null;
    if (Math.abs(moved) > 2) onResize?.(Math.min(MOST, Math.max(LEAST, Math.round(width + moved))));
  };
  const next = direction === 'ascending' ? '点击按降序排列' : direction === 'descending' ? '点击恢复默认排序' : '点击按升序排列';
  return (
    <span className="kq-th" title={title}>
      {onSort ? (
        <button type="button" className={`kq-sort kq-sort-${direction ?? 'none'}`} title={next} onClick={onSort}>
          {title}
          <i aria-hidden />
        </button>
      ) : (
        title
      )}
      {onResize && <span className="kq-th-handle" onPointerDown={down} onPointerUp={up} aria-hidden />}
    </span>
  );
}

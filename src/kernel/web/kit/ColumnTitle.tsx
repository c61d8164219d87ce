import { useRef } from 'react';
import type { PointerEvent } from 'react';

const LEAST = 60;
const MOST = 600;

interface ColumnTitleProps {
  title: string;
  /** Absent: the width is fixed. */
  onResize?(width: number): void;
  /** How the list is sorted by this column now; undefined where it cannot be. */
  direction?: 'ascending' | 'descending' | null;
  onSort?(): void;
}

/** Column title: a click sorts where the list can be sorted by it; the handle at its right edge sets the width when it is let go. */
export function ColumnTitle({ title, onResize, direction, onSort }: ColumnTitleProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const down = (event: PointerEvent<HTMLSpanElement>) => {
    // As wide as it stands there: a column may have given way, or taken what was left over.
    start.current = { x: event.clientX, width: event.currentTarget.closest<HTMLElement>('[data-column]')?.offsetWidth ?? LEAST };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const up = (event: PointerEvent<HTMLSpanElement>) => {
    if (start.current === null) return;
    const { x, width } = start.current;
    const moved = event.clientX - x;
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

import { useLayoutEffect, useRef, type ReactNode } from 'react';

interface MovableListProps {
  items: readonly { key: string; label: string }[];
  onMove(from: number, to: number): void;
  /** Content of a line before its arrows. */
  children(index: number): ReactNode;
}

/** The same list with one of its things in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Lines whose order somebody decides: they are dragged, or moved by their arrows, from within a line by Alt and an arrow key too. */
export function MovableList({ items, onMove, children }: MovableListProps) {
  const dragged = useRef<number | null>(null);
  const held = useRef<HTMLElement | null>(null);
  const order = items.map(({ key }) => key).join('\n');
  // The control that moved its line stays in hand; a browser lets go of what is put elsewhere.
  useLayoutEffect(() => {
    held.current?.focus();
    held.current = null;
  }, [order]);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || from === to) return;
    held.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    onMove(from, to);
  };
  return (
    <ul className="kq-movable">
      {items.map(({ key, label }, index) => (
        <li
          key={key}
          draggable
          // Words that are dragged out of a field of a line take no line with them.
          onDragStart={(event) => (dragged.current = event.target === event.currentTarget ? index : null)}
          onDragEnd={() => (dragged.current = null)}
          onDragOver={(event) => dragged.current !== null && event.preventDefault()}
          onDrop={() => dragged.current !== null && move(dragged.current, index)}
          onKeyDown={(event) => {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
            event.preventDefault();
            move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
          }}
        >
          {children(index)}
          <span className="kq-column-move">
            <button
              type="button"
              className="kq-link"
              onClick={() => move(index, index - 1)}
              disabled={index === 0}
              aria-label={`${label}上移`}
            >
              ↑
            </button>
            <button
              type="button"
              className="kq-link"
              onClick={() => move(index, index + 1)}
              disabled={index === items.length - 1}
              aria-label={`${label}下移`}
            >
              ↓
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}

import { useRef, type KeyboardEvent, type ReactNode } from 'react';

interface MovableListProps {
  items: readonly { key: string; label: string }[];
  onMove(from: number, to: number): void;
  /** What stands in a line before its arrows; the handler lets a control move it by Alt and an arrow key. */
  children(index: number, onKeyDown: (event: KeyboardEvent) => void): ReactNode;
}

/** The same list with one of its things in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Lines whose order somebody decides: they are dragged, or moved by arrows and keys. */
export function MovableList({ items, onMove, children }: MovableListProps) {
  const dragged = useRef<number | null>(null);
  const move = (from: number, to: number) => {
    if (to >= 0 && to < items.length && from !== to) onMove(from, to);
  };
  return (
    <ul className="kq-movable">
      {items.map(({ key, label }, index) => (
        <li
          key={key}
          draggable
          onDragStart={() => (dragged.current = index)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged.current !== null && move(dragged.current, index)}
        >
          {children(index, (event) => {
            if (event.altKey && event.key === 'ArrowUp') move(index, index - 1);
            if (event.altKey && event.key === 'ArrowDown') move(index, index + 1);
          })}
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

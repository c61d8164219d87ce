import { useRef } from 'react';
import type { PointerEvent } from 'react';

const LEAST = 60;
const MOST = 600;

interface ResizableTitleProps {
  title: string;
  width: number;
  onResize(width: number): void;
}

/** Column title with a handle at its right edge; the width is kept when the handle is let go. */
export function ResizableTitle({ title, width, onResize }: ResizableTitleProps) {
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
    if (Math.abs(moved) > 2) onResize(Math.min(MOST, Math.max(LEAST, Math.round(width + moved))));
  };
  return (
    <span className="kq-th" title={title}>
      {title}
      <span className="kq-th-handle" onPointerDown={down} onPointerUp={up} aria-hidden />
    </span>
  );
}

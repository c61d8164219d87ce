import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { timeSlots } from '#kernel/contract/time.ts';
import { cellKey, cellsOf, DUTY_CELLS, spansOf, type DutySpan } from '../../contract/rules/duty.ts';
import './staffing.css';

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const workdays = (): DutySpan[] => [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: timeSlots[0]!, to: timeSlots[DUTY_CELLS]! }));

interface DutyGridProps {
  id?: string;
  value?: readonly DutySpan[];
  onChange?(week: DutySpan[]): void;
}

/** Half hours of a week, painted with the mouse or by arrows and space; with Shift an arrow paints as it goes. */
export function DutyGrid({ id, value = [], onChange }: DutyGridProps) {
  const cells = cellsOf(value);
  const [cursor, setCursor] = useState<readonly [number, number]>([0, 0]);
  const stroke = useRef<'paint' | 'erase' | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  // The stroke's own picture: several cells may be passed before the form has drawn the last one.
  const picture = useRef(cells);
  picture.current = stroke.current === null ? cells : picture.current;
  useEffect(() => {
    const end = () => void (stroke.current = null);
    addEventListener('pointerup', end);
    return () => removeEventListener('pointerup', end);
  }, []);

  const paint = (keys: readonly string[], on: boolean) => {
    const next = new Set(picture.current);
    for (const key of keys)
      if (on) next.add(key);
      else next.delete(key);
    picture.current = next;
    onChange?.(spansOf(next));
  };
  const rowKeys = (day: number) => Array.from({ length: DUTY_CELLS }, (_, cell) => cellKey(day + 1, cell));
  const press = (event: KeyboardEvent) => {
    const [day, cell] = cursor;
    const key = cellKey(day + 1, cell);
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      return paint([key], !cells.has(key));
    }
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const next = [Math.min(6, Math.max(0, day + move[0])), Math.min(DUTY_CELLS - 1, Math.max(0, cell + move[1]))] as const;
    setCursor(next);
    if (event.shiftKey) paint([cellKey(next[0] + 1, next[1])], cells.has(key));
    grid.current?.querySelector<HTMLElement>(`[data-cell="${cellKey(next[0] + 1, next[1])}"]`)?.focus();
  };

  const start = (key: string) => {
    stroke.current = cells.has(key) ? 'erase' : 'paint';
    paint([key], stroke.current === 'paint');
  };
  return (
    <div id={id}>
      <p className="kq-muted st-hint">
        拖动鼠标涂抹，或用方向键移动、空格切换、Shift+方向键连续涂抹
        <Button size="small" type="link" onClick={() => onChange?.(workdays())}>
          工作日全天
        </Button>
        <Button size="small" type="link" onClick={() => onChange?.([])}>
          清空
        </Button>
      </p>
      <div ref={grid} className="st-week" role="grid" aria-label="值班时段" tabIndex={-1} onKeyDown={press}>
        <span />
        {timeSlots.slice(0, DUTY_CELLS).map((slot, cell) => (
          <span key={slot} className="st-time" aria-hidden>
            {cell % 2 === 1 ? slot : ''}
          </span>
        ))}
        {WEEKDAYS.map((name, day) => [
          <button
            key={name}
            type="button"
            tabIndex={-1}
            className="kq-link"
            title="整天"
            onClick={() => paint(rowKeys(day), !rowKeys(day).every((key) => cells.has(key)))}
          >
            周{name}
          </button>,
          ...Array.from({ length: DUTY_CELLS }, (_, cell) => {
            const key = cellKey(day + 1, cell);
            const title = `周${name} ${timeSlots[cell]}–${timeSlots[cell + 1]}`;
            return (
              <button
                key={key}
                type="button"
                data-cell={key}
                role="gridcell"
                title={title}
                aria-label={title}
                aria-selected={cells.has(key)}
                tabIndex={cursor[0] === day && cursor[1] === cell ? 0 : -1}
                className={cells.has(key) ? 'st-cell st-on' : 'st-cell'}
                onFocus={() => setCursor([day, cell])}
                onPointerDown={(event) => {
                  if (event.button === 0) start(key);
                }}
                onPointerEnter={() => {
                  if (stroke.current !== null) paint([key], stroke.current === 'paint');
                }}
              />
            );
          }),
        ])}
      </div>
    </div>
  );
}

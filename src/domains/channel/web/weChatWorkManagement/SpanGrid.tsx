import { Button } from 'antd';
import type { Span } from '../../contract/calls/liveCodes.ts';
import { timeSlots } from '#kernel/contract/time.ts';

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];
const LAST = timeSlots.length - 1;

/** Half hours of the week from 08:30 to 18:30; neighbours become one span. */
const cellsOf = (spans: readonly Span[]) =>
  new Set(
    spans.flatMap(({ weekday, from, to }) =>
      timeSlots.slice(0, LAST).flatMap((slot, index) => (from <= slot && timeSlots[index + 1]! <= to ? [`${weekday}/${index}`] : [])),
    ),
  );

function spansOf(cells: ReadonlySet<string>): Span[] {
  return WEEKDAYS.flatMap((_name, day) => {
    const spans: Span[] = [];
    for (let index = 0; index < LAST; index += 1) {
      if (!cells.has(`${day + 1}/${index}`)) continue;
      const before = spans.at(-1);
      if (before && before.to === timeSlots[index]) before.to = timeSlots[index + 1]!;
      else spans.push({ weekday: day + 1, from: timeSlots[index]!, to: timeSlots[index + 1]! });
    }
    return spans;
  });
}

/** Week schedule of one member; nothing chosen means always. */
export function SpanGrid({ value = [], onChange }: { value?: readonly Span[]; onChange?(spans: Span[]): void }) {
  const cells = cellsOf(value);
  const toggle = (keys: readonly string[]) => {
    const next = new Set(cells);
    const all = keys.every((key) => next.has(key));
    for (const key of keys)
      if (all) next.delete(key);
      else next.add(key);
    onChange?.(spansOf(next));
  };
  const workdays = () => onChange?.([1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: timeSlots[0]!, to: timeSlots[LAST]! })));
  return (
    <div>
      <p className="kq-muted">
        {value.length === 0 ? '全天可接待' : '蓝色为可接待时段'}{' '}
        <Button size="small" type="link" onClick={workdays}>
          工作日 08:30–18:30
        </Button>{' '}
        <Button size="small" type="link" onClick={() => onChange?.([])}>
          清空（全天）
        </Button>
      </p>
      <div className="ch-week">
        {WEEKDAYS.map((name, day) => [
          <button
            key={name}
            type="button"
            className="kq-link"
            onClick={() => toggle(Array.from({ length: LAST }, (_, index) => `${day + 1}/${index}`))}
          >
            周{name}
          </button>,
          ...Array.from({ length: LAST }, (_, index) => {
            const key = `${day + 1}/${index}`;
            return (
              <button
                key={key}
                type="button"
                aria-label={`周${name}${timeSlots[index]}`}
                aria-pressed={cells.has(key)}
                title={`周${name} ${timeSlots[index]}–${timeSlots[index + 1]}`}
                className={cells.has(key) ? 'ch-slot ch-on' : 'ch-slot'}
                onClick={() => toggle([key])}
              />
            );
          }),
        ])}
      </div>
    </div>
  );
}

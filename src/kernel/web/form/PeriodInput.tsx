import type { Day } from '../../contract/time.ts';
import { DayRangeInput } from './DayRangeInput.tsx';
import { todayHere } from './today.ts';

interface PeriodInputProps {
  value: readonly [Day, Day];
  onChange(value: [Day, Day]): void;
  'aria-label'?: string;
}

/** First and last day of what has been. */
export function PeriodInput({ value, onChange, 'aria-label': label = '统计日期' }: PeriodInputProps) {
  return (
    <DayRangeInput
      aria-label={label}
      inline
      allowClear={false}
      value={value}
      until={todayHere()}
      onChange={([from, to]) => from !== null && to !== null && onChange([from, to])}
    />
  );
}

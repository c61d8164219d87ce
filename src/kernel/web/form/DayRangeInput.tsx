import { DatePicker, Tooltip } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useMemo } from 'react';
import type { Day } from '../../contract/time.ts';
import { TO, typedDays, type DayRange } from './typedDay.ts';
import { useCalendarDay, useTypedPicker } from './useTypedPicker.ts';

interface DayRangeInputProps {
  id?: string;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
  value?: DayRange | undefined;
  onChange?(value: DayRange): void;
  /** The first day that can be chosen, and the last one. */
  from?: Day;
  until?: Day;
  /** Whether its beginning and its end may be left open; absent: neither. */
  open?: [boolean, boolean];
  /** Whether it may be emptied; absent: yes. */
  allowClear?: boolean;
  size?: 'small';
  /** In a line with others instead of as wide as its place. */
  inline?: boolean;
  presets?: { label: string; value: [Dayjs, Dayjs] }[];
}

/** First and last day, chosen or typed. */
export function DayRangeInput({ value, onChange, from, until, open = [false, false], inline = false, ...rest }: DayRangeInputProps) {
  const shown = (value?.[0] ?? '') + TO + (value?.[1] ?? '');
  const [first, last] = [useCalendarDay(value?.[0]), useCalendarDay(value?.[1])];
  const read = (text: string) => {
    const [one = '', other = ''] = text.split(TO);
    return typedDays(one, other, { from, until, open });
  };
  const { told, around, picker, chosen } = useTypedPicker<DayRange>(shown, read, (range) => onChange?.(range ?? [null, null]));
  return (
    <Tooltip title={told} open={told !== null} placement="topLeft">
      <div className={inline ? 'kq-inline' : 'kq-wide'} {...around}>
        <DatePicker.RangePicker
          className="kq-wide"
          suffixIcon={null}
          {...rest}
          {...picker}
          allowEmpty={open}
          {...(from && { minDate: dayjs(from) })}
          {...(until && { maxDate: dayjs(until) })}
          value={useMemo(() => [first, last] as const, [first, last])}
          onChange={(days) => chosen([days?.[0]?.format('YYYY-MM-DD') ?? null, days?.[1]?.format('YYYY-MM-DD') ?? null])}
        />
      </div>
    </Tooltip>
  );
}

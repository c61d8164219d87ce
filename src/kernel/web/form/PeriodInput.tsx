import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day } from '../../contract/time.ts';
import { todayHere } from './today.ts';

const DAY = 'YYYY-MM-DD';

interface PeriodInputProps {
  value: readonly [Day, Day];
  onChange(value: [Day, Day]): void;
  'aria-label'?: string;
}

/** First and last day of what has been. */
export function PeriodInput({ value, onChange, 'aria-label': label = '统计日期' }: PeriodInputProps) {
  return (
    <DatePicker.RangePicker
      aria-label={label}
      allowClear={false}
      value={[dayjs(value[0]), dayjs(value[1])]}
      maxDate={dayjs(todayHere())}
      onChange={(days) => days?.[0] && days[1] && onChange([days[0].format(DAY), days[1].format(DAY)])}
    />
  );
}

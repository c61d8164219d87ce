import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { showInstant, type Day } from '../../contract/time.ts';

const DAY = 'YYYY-MM-DD';
export const todayHere = (): Day => showInstant(new Date().toISOString()).slice(0, 10);

/** First and last day of a statistic. */
export function PeriodInput({ value, onChange }: { value: readonly [Day, Day]; onChange(value: readonly [Day, Day]): void }) {
  return (
    <DatePicker.RangePicker
      aria-label="统计日期"
      allowClear={false}
      value={[dayjs(value[0]), dayjs(value[1])]}
      maxDate={dayjs(todayHere())}
      onChange={(days) => days?.[0] && days[1] && onChange([days[0].format(DAY), days[1].format(DAY)])}
    />
  );
}

import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day, Instant } from '../../../../kernel/contract/time.ts';
import { showInstant, startOfDay } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

const DAY = 'YYYY-MM-DD';
export const todayHere = (): Day => showInstant(new Date().toISOString()).slice(0, 10);

/** A calendar day as the calls take it. */
export function DayInput({ value, onChange, ...rest }: PickerProps<Day>) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      value={value ? dayjs(value) : null}
      onChange={(day) => onChange?.(day?.format(DAY) ?? null)}
    />
  );
}

/** A moment in Asia/Shanghai, whatever the browser's zone is. */
export function InstantInput({ value, onChange, ...rest }: PickerProps<Instant>) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(showInstant(value)) : null}
      onChange={(at) => onChange?.(at ? startOfDay(at.format(DAY), at.format('HH:mm')) : null)}
    />
  );
}

/** First and last day of a statistic. */
export function PeriodInput({ value, onChange }: { value: readonly [Day, Day]; onChange(value: readonly [Day, Day]): void }) {
  return (
    <DatePicker.RangePicker
      allowClear={false}
      value={[dayjs(value[0]), dayjs(value[1])]}
      maxDate={dayjs(todayHere())}
      onChange={(days) => days?.[0] && days[1] && onChange([days[0].format(DAY), days[1].format(DAY)])}
    />
  );
}

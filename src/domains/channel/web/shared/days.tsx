import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day } from '../../../../kernel/contract/time.ts';
import { showInstant } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

export { InstantInput } from '../../../../kernel/web/form/InstantInput.tsx';

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

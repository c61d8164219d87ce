import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

export { InstantInput } from '../../../../kernel/web/form/InstantInput.tsx';
export { PeriodInput, todayHere } from '../../../../kernel/web/form/PeriodInput.tsx';

const DAY = 'YYYY-MM-DD';

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

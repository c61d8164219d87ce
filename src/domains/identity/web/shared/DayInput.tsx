import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

export { InstantInput } from '../../../../kernel/web/form/InstantInput.tsx';

const DAY = 'YYYY-MM-DD';

/** A calendar day as the calls take it. */
export function DayInput({
  value,
  onChange,
  least,
  most,
  ...rest
}: PickerProps<Day> & { least?: Day | undefined; most?: Day | undefined }) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      value={value ? dayjs(value) : null}
      {...(least && { minDate: dayjs(least) })}
      {...(most && { maxDate: dayjs(most) })}
      onChange={(day) => onChange?.(day?.format(DAY) ?? null)}
    />
  );
}

import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { Day, Instant } from '../../../../kernel/contract/time.ts';
import { showInstant, startOfDay } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

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

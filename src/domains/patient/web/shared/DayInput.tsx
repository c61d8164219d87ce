import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

/** A day as text `YYYY-MM-DD` in a form. */
export function DayInput({ value, onChange, future = false, ...rest }: PickerProps<string> & { future?: boolean }) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      value={value ? dayjs(value) : null}
      {...(!future && { maxDate: dayjs() })}
      onChange={(day) => onChange?.(day ? day.format('YYYY-MM-DD') : null)}
    />
  );
}

/** A moment as an instant in a form; shown to the minute. */
export function InstantInput({ value, onChange, future = false, ...rest }: PickerProps<string> & { future?: boolean }) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(value) : null}
      {...(!future && { maxDate: dayjs() })}
      onChange={(at) => onChange?.(at ? at.toISOString() : null)}
    />
  );
}

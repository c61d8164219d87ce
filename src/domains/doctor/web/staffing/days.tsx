import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { showInstant, startOfDay, type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

const DAY = 'YYYY-MM-DD';
export const todayHere = (): Day => showInstant(new Date().toISOString()).slice(0, 10);

/** A calendar day from today on. */
export function ComingDay({ value, onChange, ...rest }: PickerProps<Day>) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      minDate={dayjs(todayHere())}
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

import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { instantOf, showInstant, startOfDay, type Instant } from '../../contract/time.ts';
import type { PickerProps } from '../kit/pickers.tsx';

interface InstantInputProps extends PickerProps<Instant> {
  /** The last one that can be chosen. */
  until?: Instant;
  /** Minutes between the ones that are offered. */
  minuteStep?: 1 | 5 | 10 | 15 | 30;
}

/** A moment in Asia/Shanghai, whatever the browser's zone is. */
export function InstantInput({ value, onChange, until, minuteStep = 1, ...rest }: InstantInputProps) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      showTime={{ format: 'HH:mm', minuteStep }}
      format="YYYY-MM-DD HH:mm"
      {...(until && { maxDate: dayjs(showInstant(until)) })}
      value={value ? dayjs(showInstant(value)) : null}
      onChange={(at) => onChange?.(at ? startOfDay(at.format('YYYY-MM-DD'), at.format('HH:mm')) : null)}
    />
  );
}

/** A moment that has come. */
export const PastInstant = (props: PickerProps<Instant>) => <InstantInput {...props} until={instantOf(Date.now())} />;

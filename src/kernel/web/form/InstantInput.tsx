import { DatePicker, Tooltip } from 'antd';
import dayjs from 'dayjs';
import { instantOf, showInstant, startOfDay, type Instant } from '../../contract/time.ts';
import type { PickerProps } from '../kit/pickers.tsx';
import { typedMinute } from './typedDay.ts';
import { useCalendarDay, useTypedPicker } from './useTypedPicker.ts';

/** Letters of `2026-01-31 09:30`. */
const MINUTE = 16;

interface InstantInputProps extends PickerProps<Instant> {
  /** The last one that can be chosen. */
  until?: Instant;
  /** Minutes between the ones that are offered. */
  minuteStep?: 1 | 5 | 10 | 15 | 30;
}

/** A moment in Asia/Shanghai, whatever the browser's zone is. */
export function InstantInput({ value, onChange, until, minuteStep = 1, ...rest }: InstantInputProps) {
  const shown = value ? showInstant(value).slice(0, MINUTE) : '';
  const { told, around, picker, chosen } = useTypedPicker<Instant>(shown, (text) => typedMinute(text, until), onChange);
  return (
    <Tooltip title={told} open={told !== null} placement="topLeft">
      <div className="kq-wide" {...around}>
        <DatePicker
          {...rest}
          {...picker}
          className="kq-wide"
          showTime={{ format: 'HH:mm', minuteStep }}
          format="YYYY-MM-DD HH:mm"
          {...(until && { maxDate: dayjs(showInstant(until)) })}
          value={useCalendarDay(value && showInstant(value))}
          onChange={(at) => chosen(at ? startOfDay(at.format('YYYY-MM-DD'), at.format('HH:mm')) : null)}
        />
      </div>
    </Tooltip>
  );
}

/** A moment that has come. */
export const PastInstant = (props: PickerProps<Instant>) => <InstantInput {...props} until={instantOf(Date.now())} />;

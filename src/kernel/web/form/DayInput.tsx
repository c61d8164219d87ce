import { DatePicker, Tooltip } from 'antd';
import dayjs from 'dayjs';
import type { Day } from '../../contract/time.ts';
import type { PickerProps } from '../kit/pickers.tsx';
import { todayHere } from './today.ts';
import { typedDay } from './typedDay.ts';
import { useCalendarDay, useTypedPicker } from './useTypedPicker.ts';

interface DayInputProps extends PickerProps<Day> {
  'aria-required'?: boolean;
  /** The first day that can be chosen. */
  from?: Day | undefined;
  /** The last one. */
  until?: Day | undefined;
}

/** A calendar day as the call takes it (`YYYY-MM-DD`); a form's own field loads the calendar with the first one that needs it. */
export default function DayInput({ value, onChange, placeholder, from, until, ...rest }: DayInputProps) {
  const { told, around, picker, chosen } = useTypedPicker<Day>(value ?? '', (text) => typedDay(text, { from, until }), onChange);
  return (
    <Tooltip title={told} open={told !== null} placement="topLeft">
      <div className="kq-wide" {...around}>
        <DatePicker
          className="kq-wide"
          {...rest}
          {...picker}
          {...(placeholder && { placeholder })}
          {...(from && { minDate: dayjs(from) })}
          {...(until && { maxDate: dayjs(until) })}
          value={useCalendarDay(value)}
          onChange={(day) => chosen(day?.format('YYYY-MM-DD') ?? null)}
        />
      </div>
    </Tooltip>
  );
}

/** A calendar day from today on. */
export const ComingDay = (props: PickerProps<Day>) => <DayInput {...props} from={todayHere()} />;
/** A calendar day that has come. */
export const PastDay = (props: PickerProps<Day>) => <DayInput {...props} until={todayHere()} />;

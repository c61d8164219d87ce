import { TimePicker, Tooltip } from 'antd';
import { typedClock } from './typedDay.ts';
import { useCalendarDay, useTypedPicker } from './useTypedPicker.ts';

interface ClockInputProps {
  id?: string;
  value?: string | null | undefined;
  onChange?(time: string | null): void;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
  placeholder?: string;
  /** Minutes between the ones that are offered. */
  minuteStep?: 1 | 5;
  allowClear?: boolean;
  /** Within a line of text. */
  size?: 'small';
}

/** A time of day to the minute (`HH:mm`), chosen or typed. */
export function ClockInput({ value, onChange, ...rest }: ClockInputProps) {
  const { told, around, picker, chosen } = useTypedPicker<string>(value ?? '', typedClock, onChange);
  return (
    <Tooltip title={told} open={told !== null} placement="topLeft">
      <div className={rest.size ? 'kq-inline' : 'kq-wide'} {...around}>
        <TimePicker
          className="kq-wide"
          {...rest}
          {...picker}
          format="HH:mm"
          needConfirm={false}
          value={useCalendarDay(value && `2000-01-01T${value}`)}
          onChange={(at) => chosen(at?.format('HH:mm') ?? null)}
        />
      </div>
    </Tooltip>
  );
}

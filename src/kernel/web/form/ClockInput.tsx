import { TimePicker } from 'antd';
import dayjs from 'dayjs';

interface ClockInputProps {
  value: string;
  onChange(time: string): void;
  /** Its name, where no label is beside it. */
  'aria-label': string;
}

/** A time of day to the minute (`HH:mm`); empty where none is chosen. */
export function ClockInput({ value, onChange, ...rest }: ClockInputProps) {
  return (
    <TimePicker
      {...rest}
      size="small"
      format="HH:mm"
      needConfirm={false}
      value={value ? dayjs(`2000-01-01T${value}`) : null}
      onChange={(at) => onChange(at?.format('HH:mm') ?? '')}
    />
  );
}

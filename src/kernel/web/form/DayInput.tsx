import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface DayInputProps {
  id?: string;
  value?: string | null;
  onChange?(day: string | null): void;
  placeholder?: string;
  disabled?: boolean;
  'aria-required'?: boolean;
  /** The first day that can be chosen. */
  from?: string;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
}

/** A calendar day as the call takes it (`YYYY-MM-DD`); the calendar is loaded with the first field that needs it. */
export default function DayInput({ value, onChange, placeholder, from, ...rest }: DayInputProps) {
  return (
    <DatePicker
      className="kq-wide"
      {...rest}
      {...(placeholder && { placeholder })}
      {...(from && { minDate: dayjs(from) })}
      value={value ? dayjs(value) : null}
      onChange={(day) => onChange?.(day?.format('YYYY-MM-DD') ?? null)}
    />
  );
}

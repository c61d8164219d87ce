import { DatePicker } from 'antd';
import dayjs from 'dayjs';

const DAY = 'YYYY-MM-DD';

interface DayProps {
  id?: string;
  value?: string | null | undefined;
  onChange?(value: string | null): void;
  least?: string | undefined;
  disabled?: boolean;
}

/** A calendar day as the calls take it. */
export function DayField({ value, onChange, least, ...rest }: DayProps) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      value={value ? dayjs(value) : null}
      {...(least && { minDate: dayjs(least) })}
      onChange={(day) => onChange?.(day?.format(DAY) ?? null)}
    />
  );
}

import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface MonthInputProps {
  id?: string;
  /** `YYYY-MM`. */
  value?: string;
  onChange?(month: string): void;
  /** First and last month that may be chosen, `YYYY-MM`. */
  min?: string;
  max?: string;
  'aria-required'?: boolean;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
}

const dayOfMonth = (month: string) => dayjs(`${month}-01`);

/** A month; the browser's own field speaks the language of the browser, and not every browser has one. */
export default function MonthInput({ value, onChange, min, max, ...rest }: MonthInputProps) {
  return (
    <DatePicker
      picker="month"
      format="YYYY年M月"
      allowClear={false}
      {...rest}
      {...(min && { minDate: dayOfMonth(min) })}
      {...(max && { maxDate: dayOfMonth(max) })}
      value={value ? dayOfMonth(value) : null}
      onChange={(month) => month && onChange?.(month.format('YYYY-MM'))}
    />
  );
}

import { DatePicker, Tooltip } from 'antd';
import dayjs from 'dayjs';
import { monthText, typedMonth } from './typedDay.ts';
import { useCalendarDay, useTypedPicker } from './useTypedPicker.ts';

interface MonthInputProps {
  id?: string;
  /** `YYYY-MM`. */
  value?: string;
  onChange?(month: string): void;
  /** What emptying it does; without it a month stays chosen. */
  onClear?(): void;
  placeholder?: string;
  /** First and last month that may be chosen, `YYYY-MM`. */
  min?: string;
  max?: string;
  'aria-required'?: boolean;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
}

const dayOfMonth = (month: string) => dayjs(`${month}-01`);

/** A month; the browser's own field speaks the language of the browser, and not every browser has one. */
export default function MonthInput({ value, onChange, onClear, min, max, ...rest }: MonthInputProps) {
  const read = (text: string) => typedMonth(text, { from: min, until: max });
  const { told, around, picker, chosen } = useTypedPicker<string>(value ? monthText(value) : '', read, (month) =>
    month === null ? onClear?.() : onChange?.(month),
  );
  return (
    <Tooltip title={told} open={told !== null} placement="topLeft">
      <div className="kq-inline" {...around}>
        <DatePicker
          picker="month"
          format="YYYY年M月"
          allowClear={onClear !== undefined}
          {...rest}
          {...picker}
          {...(min && { minDate: dayOfMonth(min) })}
          {...(max && { maxDate: dayOfMonth(max) })}
          value={useCalendarDay(value && `${value}-01`)}
          onChange={(month) => chosen(month?.format('YYYY-MM') ?? null)}
        />
      </div>
    </Tooltip>
  );
}

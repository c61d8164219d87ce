import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { showInstant, type Day } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

export { InstantInput } from '../../../../kernel/web/form/InstantInput.tsx';

const DAY = 'YYYY-MM-DD';
export const todayHere = (): Day => showInstant(new Date().toISOString()).slice(0, 10);

interface DayInputProps extends PickerProps<Day> {
  from?: Day;
  until?: Day;
}

/** A calendar day as the calls take it. */
export function DayInput({ value, onChange, from, until, ...rest }: DayInputProps) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      {...(from && { minDate: dayjs(from) })}
      {...(until && { maxDate: dayjs(until) })}
      value={value ? dayjs(value) : null}
      onChange={(day) => onChange?.(day?.format(DAY) ?? null)}
    />
  );
}

/** A calendar day from today on. */
export const ComingDay = (props: PickerProps<Day>) => <DayInput {...props} from={todayHere()} />;
/** A calendar day that has come. */
export const PastDay = (props: PickerProps<Day>) => <DayInput {...props} until={todayHere()} />;

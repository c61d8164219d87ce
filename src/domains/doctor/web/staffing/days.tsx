import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { showInstant, startOfDay, type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';

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

/** A moment in Asia/Shanghai, whatever the browser's zone is. */
export function InstantInput({ value, onChange, ...rest }: PickerProps<Instant>) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(showInstant(value)) : null}
      onChange={(at) => onChange?.(at ? startOfDay(at.format(DAY), at.format('HH:mm')) : null)}
    />
  );
}

import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { showInstant, startOfDay, type Instant } from '../../contract/time.ts';
import type { PickerProps } from '../kit/pickers.tsx';

/** A moment in Asia/Shanghai, whatever the browser's zone is. */
export function InstantInput({ value, onChange, ...rest }: PickerProps<Instant>) {
  return (
    <DatePicker
      {...rest}
      className="kq-wide"
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      value={value ? dayjs(showInstant(value)) : null}
      onChange={(at) => onChange?.(at ? startOfDay(at.format('YYYY-MM-DD'), at.format('HH:mm')) : null)}
    />
  );
}

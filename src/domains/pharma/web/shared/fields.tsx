import { DatePicker, InputNumber } from 'antd';
import dayjs from 'dayjs';
import { fenOf, yuan } from '../../../../kernel/contract/money.ts';

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
  return <DatePicker {...rest} className="kq-wide" value={value ? dayjs(value) : null} {...(least && { minDate: dayjs(least) })} onChange={(day) => onChange?.(day?.format(DAY) ?? null)} />;
}

/** An amount in yuan; the value is fen. */
export function YuanField({ id, value, onChange }: { id?: string; value?: number | null; onChange?(fen: number | null): void }) {
  return (
    <InputNumber<string>
      {...(id && { id })}
      className="kq-wide"
      stringMode
      min="0.01"
      precision={2}
      prefix="¥"
      value={value === null || value === undefined ? null : yuan(value)}
      onChange={(text) => {
        const fen = text === null ? null : fenOf(text);
        onChange?.(fen === null ? null : Number(fen));
      }}
    />
  );
}

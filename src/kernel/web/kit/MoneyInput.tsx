import { InputNumber } from 'antd';
import { fenOf, yuan } from '../../contract/money.ts';

interface MoneyInputProps {
  id?: string;
  /** Fen. */
  value?: number | string | null;
  onChange?(fen: number | null): void;
  /** Yuan. */
  min?: string;
  max?: string;
  placeholder?: string;
  disabled?: boolean;
}

/** An amount typed in yuan with two decimals; the value is fen. */
export function MoneyInput({ value, onChange, min = '0', max = '10000000000', ...rest }: MoneyInputProps) {
  return (
    <InputNumber<string>
      {...rest}
      className="kq-wide"
      stringMode
      precision={2}
      min={min}
      max={max}
      prefix="¥"
      value={value === null || value === undefined || value === '' ? null : yuan(value)}
      onChange={(text) => onChange?.(text === null || text === '' ? null : Number(fenOf(text) ?? 0n))}
    />
  );
}

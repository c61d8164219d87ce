import { InputNumber } from 'antd';
import { fenOf, yuan } from '../../../../kernel/contract/money.ts';

interface MoneyInputProps {
  id?: string;
  value?: number | string | null;
  onChange?(fen: number | null): void;
  disabled?: boolean;
  placeholder?: string;
}

/** Yuan with two decimals; the value is fen. */
export function MoneyInput({ value, onChange, ...rest }: MoneyInputProps) {
  const text = value === null || value === undefined || value === '' ? null : yuan(value);
  return (
    <InputNumber<string>
      {...rest} className="kq-wide" stringMode precision={2} min="0" max="10000000000" prefix="¥" value={text}
      onChange={(next) => onChange?.(next === null || next === '' ? null : Number(fenOf(next) ?? 0n))}
    />
  );
}

import { InputNumber } from 'antd';
import { fenOf, yuan } from '../../../../kernel/contract/money.ts';

interface YuanInputProps {
  id?: string;
  value?: number | null;
  onChange?(fen: number | null): void;
  placeholder?: string;
  disabled?: boolean;
}

/** Yuan with two decimals; the value is fen. */
export function YuanInput({ value, onChange, ...rest }: YuanInputProps) {
  return (
    <InputNumber<string>
      {...rest} className="kq-wide" stringMode precision={2} min="0" max="5000" prefix="¥" value={value === null || value === undefined ? null : yuan(value)}
      onChange={(text) => onChange?.(text === null || text === '' ? null : Number(fenOf(text) ?? 0n))}
    />
  );
}

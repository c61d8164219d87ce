import { Input, Tooltip } from 'antd';
import { useState } from 'react';
import { fenOf, yuan } from '../../contract/money.ts';
import { typedAmount } from './amountText.ts';

interface MoneyInputProps {
  id?: string;
  /** Its name, where no label stands beside it. */
  'aria-label'?: string;
  'aria-required'?: boolean;
  /** Fen. */
  value?: number | string | null;
  onChange?(fen: number | null): void;
  /** Yuan. */
  min?: string;
  max?: string;
  placeholder?: string;
  disabled?: boolean;
}

const shown = (value: number | string | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : yuan(value);

/**
 * An amount typed in yuan; the value is fen. What is no amount with at most two decimals is not taken, and says why; left, the field
 * shows two decimals and stays within its bounds.
 */
export function MoneyInput({ value, onChange, min = '0', max = '10000000000', ...rest }: MoneyInputProps) {
  /** As it is being typed; null: as the value is. */
  const [typing, setTyping] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [least, most] = [fenOf(min), fenOf(max)];
  const take = (typed: string) => {
    const read = typedAmount(typed, (least ?? 0n) < 0n);
    if ('fault' in read) return setFault(read.fault);
    setFault(null);
    setTyping(read.text);
    onChange?.(read.fen === null ? null : Number(read.fen));
  };
  const leave = () => {
    setTyping(null);
    setFault(null);
    const fen = shown(value) === '' ? null : BigInt(value!);
    if (fen === null) return;
    if (least !== null && fen < least) onChange?.(Number(least));
    else if (most !== null && fen > most) onChange?.(Number(most));
  };
  return (
    <Tooltip title={fault} open={fault !== null} placement="topLeft">
      <Input
        {...rest}
        className="kq-wide"
        prefix="¥"
        inputMode="decimal"
        autoComplete="off"
        {...(fault !== null && { status: 'error' as const })}
        value={typing ?? shown(value)}
        onChange={({ target }) => take(target.value)}
        onBlur={leave}
      />
    </Tooltip>
  );
}

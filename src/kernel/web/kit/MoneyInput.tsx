import { Input, Tooltip } from 'antd';
import { useContext, useEffect, useState } from 'react';
import { yuan } from '../../contract/money.ts';
import { TypedFault } from '../form/typedFault.ts';
import { typedAmount } from './amountText.ts';

interface MoneyInputProps {
  id?: string;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
  'aria-required'?: boolean;
  /** Fen. */
  value?: number | string | null;
  onChange?(fen: number | null): void;
  /** A sign may stand in front. */
  negative?: boolean;
  placeholder?: string;
  disabled?: boolean;
}

const shown = (value: number | string | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : yuan(value);

/**
 * An amount typed in yuan; the value is fen. What is no amount with at most two decimals is not taken: it stays as it was typed, says why,
 * and its form is not sent. Left, an amount shows two decimals. How much it may be is said by the field's rules: an amount is never made
 * another one behind who typed it.
 */
export function MoneyInput({ value, onChange, negative = false, ...rest }: MoneyInputProps) {
  /** As it is being typed; null: as the value is. */
  const [typing, setTyping] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const item = useContext(TypedFault);
  // Set from outside since. Some forms make zero of nothing: that replaces nothing.
  const isReplaced = fault !== null && Number(value ?? 0) !== 0;
  const shownFault = isReplaced ? null : fault;
  useEffect(() => {
    if (item === null) return;
    item.current = shownFault;
    return () => {
      item.current = null;
    };
  }, [item, shownFault]);
  const take = (typed: string) => {
    const read = typedAmount(typed, negative);
    // The rule of the form item runs before the next render.
    if (item !== null) item.current = 'fault' in read ? read.fault : null;
    if ('fault' in read) {
      // The amount before it is not sent in its place.
      setFault(read.fault);
      setTyping(typed);
      return onChange?.(null);
    }
    setFault(null);
    setTyping(read.text);
    onChange?.(read.fen === null ? null : Number(read.fen));
  };
  const leave = () => {
    if (fault === null) setTyping(null);
  };
  return (
    <Tooltip title={fault} open={shownFault !== null && item === null} placement="topLeft">
      <Input
        {...rest}
        className="kq-wide"
        prefix="¥"
        inputMode="decimal"
        autoComplete="off"
        {...(shownFault !== null && { status: 'error' as const })}
        value={isReplaced ? shown(value) : (typing ?? shown(value))}
        onChange={({ target }) => take(target.value)}
        onBlur={leave}
      />
    </Tooltip>
  );
}

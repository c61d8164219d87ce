import { Input, Tooltip } from 'antd';
import { useContext, type CSSProperties, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { TypedFault } from '../form/typedFault.ts';
import { useTyped } from '../form/useTyped.ts';
import { typedNumber } from './numberText.ts';

interface NumberInputProps {
  id?: string;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
  'aria-required'?: boolean;
  value?: number | null;
  onChange?(value: number | null): void;
  min?: number;
  max?: number;
  /** Most decimals; 0: whole numbers. */
  precision?: number;
  /** What the arrow keys add; default 1. */
  step?: number;
  placeholder?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  size?: 'small' | 'middle' | 'large';
  prefix?: ReactNode;
  suffix?: ReactNode;
  className?: string;
  style?: CSSProperties;
  onBlur?(event: FocusEvent<HTMLInputElement>): void;
  onPressEnter?(event: KeyboardEvent<HTMLInputElement>): void;
}

/** A number typed as people type it. What is none, or lies beyond its bounds, stays as it was typed and stops what it belongs to. */
export function NumberInput({ value, onChange, min, max, precision, step = 1, className = '', onBlur, ...rest }: NumberInputProps) {
  // The rules of a form item know the bounds, and say them in the contract's own words.
  const bounds = useContext(TypedFault) === null ? { min, max, precision } : { precision };
  const typed = useTyped<number>({
    shown: value === null || value === undefined ? '' : String(value),
    isSet: value !== null && value !== undefined,
    read: (text) => typedNumber(text, bounds),
    ...(onChange && { onChange }),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0;
    if (by === 0 || typed.isFaulty) return;
    event.preventDefault();
    const next = Number(((value ?? 0) + by).toFixed(precision ?? 6));
    if (next >= (min ?? -Infinity) && next <= (max ?? Infinity)) typed.type(String(next));
  };
  return (
    <Tooltip title={typed.told} open={typed.told !== null} placement="topLeft">
      <Input
        {...rest}
        className={`kq-number-input ${className}`}
        role="spinbutton"
        {...(min !== undefined && { 'aria-valuemin': min })}
        {...(max !== undefined && { 'aria-valuemax': max })}
        {...(typeof value === 'number' && { 'aria-valuenow': value })}
        inputMode={precision === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        {...(typed.isFaulty && { status: 'error' as const })}
        value={typed.text}
        onChange={({ target }) => typed.type(target.value)}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          typed.leave();
          onBlur?.(event);
        }}
      />
    </Tooltip>
  );
}

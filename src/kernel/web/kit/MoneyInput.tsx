import { Input, Tooltip } from 'antd';
import { yuan } from '../../contract/money.ts';
import { useTyped } from '../form/useTyped.ts';
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
  value === null || value === undefined || value === '' ? '' : yuan(value, true);

/**
 * An amount typed in yuan; the value is fen. What is no amount with at most two decimals is not taken. Left, an amount shows two decimals
 * and its thousands. How much it may be is said by the field's rules: an amount is never made another one behind who typed it.
 */
export function MoneyInput({ value, onChange, negative = false, ...rest }: MoneyInputProps) {
  const typed = useTyped<number>({
    shown: shown(value),
    isSet: Number(value ?? 0) !== 0,
    read(text) {
      const read = typedAmount(text, negative);
      return 'fault' in read ? read : { value: read.fen === null ? null : Number(read.fen), text: read.text };
    },
    ...(onChange && { onChange }),
  });
  return (
    <Tooltip title={typed.told} open={typed.told !== null} placement="topLeft">
      <Input
        {...rest}
        className="kq-wide"
        prefix="¥"
        inputMode="decimal"
        autoComplete="off"
        {...(typed.isFaulty && { status: 'error' as const })}
        value={typed.text}
        onChange={({ target }) => typed.type(target.value)}
        onBlur={typed.leave}
      />
    </Tooltip>
  );
}

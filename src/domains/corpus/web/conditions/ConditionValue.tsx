import { Select } from 'antd';
import { keepNumber, tidyNumber } from '#kernel/contract/rules/validate.ts';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

interface ConditionValueProps {
  variable: VariableRow | undefined;
  operator: string;
  value: string;
  faulty: boolean;
  disabled: boolean;
  label: string;
  onChange(value: string): void;
}

/** The value of one condition: an option's digits, a number as the specification lets it be typed, or a range. */
export function ConditionValue({ variable, operator, value, faulty, disabled, label, onChange }: ConditionValueProps) {
  const status = faulty ? 'error' : '';
  if (variable?.valueType === 'OPTION') {
    return (
      <Select
        className="kq-wide"
        aria-label={label}
        placeholder="请选择"
        status={status}
        disabled={disabled || operator === ''}
        value={value === '' ? null : value}
        options={variable.options.map((option) => ({ value: option.value, label: option.label }))}
        onChange={(next: string) => onChange(next)}
      />
    );
  }
  const isRange = operator === 'range';
  return (
    <TextInput
      aria-label={label}
      status={status}
      disabled={disabled || operator === ''}
      placeholder={operator === '' ? '请先选择运算符' : isRange ? '如 10,20' : '请输入数字'}
      inputMode={isRange ? 'text' : 'decimal'}
      most={40}
      suffix={<span className="kq-muted">{variable?.unit}</span>}
      value={value}
      onChange={(event) => onChange(isRange ? event.target.value : keepNumber(event.target.value))}
      onBlur={() => {
        const tidied = isRange ? value.trim() : tidyNumber(value);
        if (tidied !== value) onChange(tidied);
      }}
    />
  );
}

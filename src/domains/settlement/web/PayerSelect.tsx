import { Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryPayerOptions } from '../contract/calls/rules.ts';

/** One of our legal companies; those that are switched off are not offered anew. */
export function PayerSelect({ value, onChange, placeholder = '请选择付款主体', ...rest }: PickerProps<string>) {
  const { data } = useData(queryPayerOptions, {}, { quiet: true, fresh: 60_000 });
  const options = (data ?? []).filter((one) => one.enabled || one.value === value);
  return (
    <Select
      {...rest}
      allowClear
      value={value ?? null}
      placeholder={placeholder}
      options={options.map(({ value: id, label }) => ({ value: id, label }))}
      onChange={(next: string | null | undefined) => onChange?.(next ?? null)}
    />
  );
}

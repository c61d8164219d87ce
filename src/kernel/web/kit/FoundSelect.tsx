import { Select } from 'antd';
import { useChoices, withNameless } from './choices.ts';
import { NoChoices } from './NoChoices.tsx';
import type { PickerProps } from './pickers.tsx';

interface Option {
  value: string;
  label: string;
}
interface Reading {
  data: readonly Option[] | undefined;
  fetching: boolean;
  error: unknown;
  refetch(): unknown;
}

interface FoundSelectProps extends PickerProps<string> {
  /** What fits the keyword. */
  found: Reading;
  /** What is chosen, where the keyword does not find it. */
  known?: Pick<Reading, 'data' | 'fetching'>;
  onSearch(keyword: string): void;
  none?: string;
}

/** One record, found by typing; the value is its id. */
export function FoundSelect({ found, known, value, onChange, onSearch, none, placeholder = '请选择', ...rest }: FoundSelectProps) {
  const chosen = value ? [value] : [];
  const options = withNameless(useChoices(chosen, found.data, known?.data), chosen, found.fetching || known?.fetching === true);
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ filterOption: false, onSearch }}
      loading={found.fetching}
      value={value ?? null}
      options={options.map((option) => ({ value: option.value, label: option.label }))}
      placeholder={placeholder}
      notFoundContent={<NoChoices of={found} {...(none !== undefined && { none })} />}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

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

/** Points; a search field is narrower than the names of hospitals are long. */
const POPUP_WIDTH = 340;

/** What was found with what is chosen before it, as `FoundSelect` takes it. */
export const useFoundOptions = (
  value: string | null | undefined,
  found: Reading,
  known: Pick<Reading, 'data' | 'fetching'>,
): readonly Option[] => {
  const chosen = value ? [value] : [];
  return withNameless(useChoices(chosen, found.data, known.data), chosen, found.fetching || known.fetching);
};

interface FoundSelectProps extends PickerProps<string> {
  found: Pick<Reading, 'fetching' | 'error' | 'refetch'>;
  options: readonly Option[];
  onSearch(keyword: string): void;
  none?: string;
}

/** One record, found by typing; the value is its id. */
export function FoundSelect({ found, options, value, onChange, onSearch, none, placeholder = '请选择', ...rest }: FoundSelectProps) {
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ filterOption: false, onSearch }}
      popupMatchSelectWidth={POPUP_WIDTH}
      loading={found.fetching}
      value={value ?? null}
      options={options.map((option) => ({ value: option.value, label: option.label }))}
      placeholder={placeholder}
      notFoundContent={<NoChoices of={found} {...(none !== undefined && { none })} />}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

interface FoundSelectsProps extends Omit<PickerProps<readonly string[]>, 'onChange'> {
  onChange?: ((ids: string[]) => void) | undefined;
  found: FoundSelectProps['found'];
  options: readonly Option[];
  onSearch(keyword: string): void;
}

/** Several records, found by typing; the values are their ids. */
export function FoundSelects({ found, options, value, onChange, onSearch, placeholder = '请选择', ...rest }: FoundSelectsProps) {
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      showSearch={{ filterOption: false, onSearch }}
      loading={found.fetching}
      value={[...(value ?? [])]}
      options={[...options]}
      placeholder={placeholder}
      notFoundContent={<NoChoices of={found} />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

import { Select } from 'antd';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';

export interface OneProps {
  id?: string;
  value?: string | null | undefined;
  onChange?(value: string | null): void;
  placeholder?: string;
  disabled?: boolean;
}
interface Found {
  data: readonly { value: string; label: string }[] | undefined;
  fetching: boolean;
  error: unknown;
  refetch(): unknown;
}

export const FRESH = 30_000;

/** One record, found by typing. */
export function Choice({ found, known, value, onChange, onSearch, placeholder = '请选择', ...rest }: OneProps & { found: Found; known?: Pick<Found, 'data'>; onSearch(keyword: string): void }) {
  const options = new Map([...(known?.data ?? []), ...(found.data ?? [])].map((option) => [option.value, { value: option.value, label: option.label }]));
  return (
    <Select<string>
      {...rest} className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch }} loading={found.fetching} value={value ?? null} options={[...options.values()]} placeholder={placeholder}
      notFoundContent={<NoChoices of={found} />} onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

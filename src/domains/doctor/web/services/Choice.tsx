import { Select } from 'antd';

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
}

export const FRESH = 30_000;

/** One record, found by typing. */
export function Choice({ found, known, value, onChange, onSearch, placeholder = '请选择', ...rest }: OneProps & { found: Found; known?: Found; onSearch(keyword: string): void }) {
  const options = new Map([...(known?.data ?? []), ...(found.data ?? [])].map((option) => [option.value, { value: option.value, label: option.label }]));
  return (
    <Select<string>
      {...rest} className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch }} loading={found.fetching} value={value ?? null} options={[...options.values()]} placeholder={placeholder}
      notFoundContent={found.fetching ? '加载中…' : '没有符合的选项'} onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import type { FilterValue } from '../../../../kernel/web/list/filters.ts';
import { querySelectOptions } from '../../contract/doctorCalls.ts';

type Kind = 'DOCTOR' | 'ASSISTANT' | 'DISEASE';
const FRESH = 30_000;
const MOST = 50;

function useOptions(type: Kind, chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(querySelectOptions, { type, limit: MOST, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(querySelectOptions, { type, ids: chosen.slice(0, MOST), limit: MOST }, { enabled: chosen.length > 0, fresh: FRESH, quiet: true });
  const options = new Map([...(known.data ?? []), ...(found.data ?? [])].map(({ value, label }) => [value, { value, label }]));
  return { options: [...options.values()], search, loading: found.fetching };
}

interface OneProps {
  id?: string;
  type: Kind;
  value?: string | null | undefined;
  onChange?(value: string | null): void;
  placeholder?: string;
  disabled?: boolean;
}

/** One doctor, assistant or disease, found by typing. */
export function StaffSelect({ type, value, onChange, placeholder = '请选择', ...rest }: OneProps) {
  const { options, search, loading } = useOptions(type, value ? [value] : []);
  return (
    <Select<string>
      {...rest} className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch: search }} value={value ?? null} options={options} loading={loading} placeholder={placeholder}
      notFoundContent={loading ? '加载中…' : '没有符合的选项'} onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

interface SeveralProps {
  id?: string;
  type: Kind;
  value?: readonly string[] | null;
  onChange?(value: string[]): void;
  placeholder?: string;
  max: number;
  /** Not offered: the one who hands over, for example. */
  except?: string;
}

/** Several of them. */
export function StaffsSelect({ type, value, onChange, placeholder = '请选择', max, except, ...rest }: SeveralProps) {
  const { options, search, loading } = useOptions(type, value ?? []);
  return (
    <Select<string[]>
      {...rest} className="kq-wide" mode="multiple" allowClear maxCount={max} maxTagCount={12} showSearch={{ filterOption: false, onSearch: search }} value={[...(value ?? [])]} loading={loading} placeholder={placeholder}
      options={options.filter((option) => option.value !== except)} notFoundContent={loading ? '加载中…' : '没有符合的选项'} onChange={(next) => onChange?.(next)}
    />
  );
}

const one = (value: FilterValue | undefined): string | undefined => (typeof value === 'string' ? value : value?.[0]);
/** A search field that finds one record by typing. */
export const staffFilter = <Name extends string>(name: Name, label: string, type: Kind) =>
  ({
    kind: 'custom', name, label,
    render: ({ value, onChange }: { value: FilterValue | undefined; onChange(value: FilterValue | undefined): void }) => <StaffSelect type={type} value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} />,
  }) as const;

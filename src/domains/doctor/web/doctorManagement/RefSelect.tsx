import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { querySelectOptions } from '../../contract/doctorCalls.ts';

type Kind = 'DOCTOR' | 'ASSISTANT' | 'ITEM' | 'CATEGORY' | 'DISEASE';
const FRESH = 30_000;

function useChoices(type: Kind, chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(querySelectOptions, { type, limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(querySelectOptions, { type, ids: chosen.slice(0, 50), limit: 50 }, { enabled: chosen.length > 0, fresh: FRESH, quiet: true });
  const records = new Map([...(known.data ?? []), ...(found.data ?? [])].map((record) => [record.value, record]));
  const options = [...records.values()].map(({ value, label, extra }) => ({ value, label: type === 'DOCTOR' ? [label, extra['titleName'], extra['hospitalName']].filter(Boolean).join('　') : label }));
  return { search, loading: found.fetching, options, nameOf: (id: string) => records.get(id)?.label ?? '', notFoundContent: found.fetching ? '加载中…' : '没有符合的选项' };
}

interface OneProps extends PickerProps<string> {
  type: Kind;
  /** Tells the bare name of what was chosen. */
  onName?(name: string): void;
}

/** One record of the domain, found by typing. */
export function RefSelect({ type, value, onChange, onName, placeholder = '请选择', id, disabled = false }: OneProps) {
  const { search, nameOf, ...choices } = useChoices(type, value ? [value] : []);
  return (
    <Select<string>
      {...choices} {...(id && { id })} className="kq-wide" disabled={disabled} allowClear showSearch={{ filterOption: false, onSearch: search }} value={value ?? null} placeholder={placeholder}
      onChange={(next?: string) => {
        onChange?.(next ?? null);
        onName?.(next === undefined ? '' : nameOf(next));
      }}
    />
  );
}

/** Several of them. */
export function RefsSelect({ type, value = [], onChange, max, placeholder = '请选择', id }: { type: Kind; id?: string; value?: readonly string[]; onChange?(value: string[]): void; max: number; placeholder?: string }) {
  const { search, nameOf: _nameOf, ...choices } = useChoices(type, value);
  return <Select<string[]> {...choices} {...(id && { id })} className="kq-wide" mode="multiple" allowClear maxCount={max} maxTagCount={8} showSearch={{ filterOption: false, onSearch: search }} value={[...value]} placeholder={placeholder} onChange={(next) => onChange?.(next)} />;
}

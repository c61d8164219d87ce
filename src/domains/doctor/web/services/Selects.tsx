import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { querySelectOptions as queryHospitalOptions } from '../../../institution/contract/hospitalCalls.ts';
import { queryDrugSelectOptions } from '../../../pharma/contract/calls/options.ts';
import { querySelectOptions } from '../../contract/doctorCalls.ts';

interface OneProps {
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

const FRESH = 30_000;

function Choice({ found, known, value, onChange, onSearch, placeholder = '请选择', ...rest }: OneProps & { found: Found; known: Found; onSearch(keyword: string): void }) {
  const options = new Map([...(known.data ?? []), ...(found.data ?? [])].map((option) => [option.value, { value: option.value, label: option.label }]));
  return (
    <Select<string>
      {...rest} className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch }} loading={found.fetching} value={value ?? null} options={[...options.values()]} placeholder={placeholder}
      notFoundContent={found.fetching ? '加载中…' : '没有符合的选项'} onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

/** One doctor, item or group of items, found by typing. */
export function ServiceSelect({ type, ...props }: OneProps & { type: 'DOCTOR' | 'ITEM' | 'CATEGORY' }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(querySelectOptions, { type, limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(querySelectOptions, { type, ids: props.value ? [props.value] : [], limit: 1 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

/** Several doctors. */
export function DoctorsSelect({ value = [], onChange, max, id }: { id?: string; value?: readonly string[]; onChange?(value: string[]): void; max: number }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(querySelectOptions, { type: 'DOCTOR', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(querySelectOptions, { type: 'DOCTOR', ids: value.slice(0, 50), limit: 50 }, { enabled: value.length > 0, fresh: FRESH, quiet: true });
  const options = new Map([...(known.data ?? []), ...(found.data ?? [])].map((option) => [option.value, { value: option.value, label: option.label }]));
  return (
    <Select<string[]>
      {...(id && { id })} className="kq-wide" mode="multiple" allowClear maxCount={max} maxTagCount={12} showSearch={{ filterOption: false, onSearch: search }} loading={found.fetching} value={[...value]}
      options={[...options.values()]} placeholder="按姓名、拼音或编号查找医生" notFoundContent={found.fetching ? '加载中…' : '没有符合的医生'} onChange={(next) => onChange?.(next)}
    />
  );
}

export function HospitalSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryHospitalOptions, { limit: 20, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryHospitalOptions, { ids: props.value ? [props.value] : [], limit: 1 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

/** Product line that sponsors an item. */
export function LineSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryDrugSelectOptions, { type: 'LINE', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryDrugSelectOptions, { type: 'LINE', ids: props.value ? [props.value] : [], limit: 50 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

const one = (value: string | readonly string[] | undefined) => (typeof value === 'string' ? value : value?.[0]);
interface FilterPart {
  value: string | readonly string[] | undefined;
  onChange(value: string | undefined): void;
}

/** As search fields of a list. */
export const itemFilter = { kind: 'custom' as const, name: 'itemId' as const, label: '服务项目', render: ({ value, onChange }: FilterPart) => <ServiceSelect type="ITEM" value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /> };
export const hospitalFilter = { kind: 'custom' as const, name: 'hospitalId' as const, label: '医院', render: ({ value, onChange }: FilterPart) => <HospitalSelect value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /> };

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { querySelectOptions } from '../../contract/doctorCalls.ts';
import { Choice, FRESH, type OneProps } from './Choice.tsx';

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

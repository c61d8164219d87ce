import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryIcd10List } from '../../contract/calls/icd10.ts';

const PAUSE_MS = 300;

/** Disease codes, found on the server by code, name or pinyin initials. */
export default function Icd10Picker({
  value,
  onChange,
  single = false,
  placeholder = '输入编码、名称或拼音首字母',
  ...rest
}: PickerProps<readonly string[]> & { single?: boolean }) {
  const [typed, setTyped] = useState('');
  const [keyword, setKeyword] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const chosen = value ?? [];
  const found = useData(queryIcd10List, { ...(keyword && { keyword }) }, { quiet: true, fresh: 60_000 });
  // Names of codes that were chosen before, outside of what is searched now.
  const named = useData(queryIcd10List, { codes: [...chosen] }, { quiet: true, fresh: 60_000, enabled: chosen.length > 0 });
  const rows = new Map([...(named.data ?? []), ...(found.data ?? [])].map((row) => [row.code, row.name]));
  for (const code of chosen) if (!rows.has(code)) rows.set(code, '');
  const options = [...rows].map(([code, name]) => ({ value: code, label: `${code} ${name}`.trim() }));
  const shared = {
    ...rest,
    className: 'kq-wide',
    options,
    placeholder,
    allowClear: true,
    loading: found.fetching,
    showSearch: { filterOption: false, onSearch: setTyped },
    notFoundContent: found.error ? '疾病编码加载失败，请重试' : found.fetching ? '加载中…' : '没有匹配的疾病编码',
  };
  if (single) return <Select<string> {...shared} value={chosen[0]} onChange={(next?: string) => onChange?.(next ? [next] : null)} />;
  return <Select<string[]> {...shared} mode="multiple" value={[...chosen]} onChange={(next) => onChange?.(next.length ? next : null)} />;
}

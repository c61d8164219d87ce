import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useData } from '../../../../kernel/web/http/queries.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { querySelectOptions } from '../../contract/hospitalCalls.ts';

/** One hospital by name, other name or pinyin initials. */
export default function HospitalPicker({ value, onChange, placeholder = '请输入医院名称', adcode, onName, ...rest }: PickerProps<string> & { adcode?: string; onName?(name: string): void }) {
  const [typed, setTyped] = useState('');
  const [keyword, setKeyword] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), 300);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useData(querySelectOptions, { ...(keyword && { keyword }), ...(adcode && { adcode }), limit: 20 }, { fresh: 30_000 });
  const chosen = useData(querySelectOptions, { ids: value ? [value] : [], limit: 1 }, { enabled: Boolean(value), fresh: 60_000 });
  const known = new Map([...(value ? (chosen.data ?? []) : []), ...(found.data ?? [])].map((option) => [option.value, option]));
  return (
    <Select
      {...rest}
      className="kq-wide"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear
      value={value ?? null}
      placeholder={placeholder}
      loading={found.fetching}
      options={[...known.values()].map((option) => ({ value: option.value, label: `${option.label}（${hospitalLevels.label(option.level)}，${option.city}）` }))}
      onChange={(next) => {
        onChange?.(next ?? null);
        onName?.(known.get(next ?? '')?.label ?? '');
      }}
      notFoundContent={found.fetching ? '正在查询…' : '没有找到医院'}
    />
  );
}

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryIcd10List } from '#domains/identity/contract/calls/icd10.ts';
import { icd10Prefix } from '../../contract/diseaseCalls.ts';

interface PrefixSelectProps {
  id?: string;
  value?: string[];
  onChange?(value: string[]): void;
}

/** ICD-10 prefixes, typed or found by code, name or pinyin; any beginning of a code of the national list may be used. */
export function PrefixSelect({ id, value, onChange }: PrefixSelectProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback((text: string) => setKeyword(text.trim()));
  const { data, fetching } = useData(queryIcd10List, { keyword }, { enabled: keyword !== '', quiet: true });
  const known = (data ?? []).filter((row) => icd10Prefix.safeParse(row.code).success);
  return (
    <Select
      {...(id !== undefined && { id })}
      mode="tags"
      placeholder="输入编码或疾病名称，回车添加"
      loading={fetching}
      showSearch={{ filterOption: false, onSearch: search }}
      tokenSeparators={[',', '，', '、', ' ']}
      notFoundContent={null}
      value={value ?? []}
      options={known.map((row) => ({ value: row.code, label: `${row.code} ${row.name}` }))}
      optionLabelProp="value"
      onChange={(next: string[]) => onChange?.([...new Set(next.map((one) => one.trim().toUpperCase()).filter(Boolean))])}
    />
  );
}

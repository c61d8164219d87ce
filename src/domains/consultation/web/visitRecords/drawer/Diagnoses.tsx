import { Button, Radio, Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryIcd10List } from '#domains/identity/contract/calls/icd10.ts';
import type { VisitRecord } from '../../../contract/calls/visits.ts';

type Diagnosis = VisitRecord['diagnoses'][number];
const MOST = 10;

/** Diagnoses of the national list, one of them the main one. */
export function Diagnoses({
  value = [],
  onChange,
  id,
}: {
  id?: string;
  value?: readonly Diagnosis[];
  onChange?(value: Diagnosis[]): void;
}) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback((text: string) => setKeyword(text.trim()));
  const { data, fetching } = useData(queryIcd10List, { keyword }, { enabled: keyword !== '', quiet: true });
  const free = (data ?? []).filter(({ code }) => value.every(({ icd10 }) => icd10 !== code));
  const add = (code: string) => {
    const found = free.find((row) => row.code === code);
    if (found) onChange?.([...value, { icd10: found.code, name: found.name, main: value.length === 0 }]);
    setKeyword('');
  };
  return (
    <div>
      {value.map((one) => (
        <div key={`${one.icd10}${one.name}`} className="kq-visit-diagnosis">
          <Radio checked={one.main} onChange={() => onChange?.(value.map((other) => ({ ...other, main: other === one })))}>
            主要
          </Radio>
          <span>
            {one.name} <span className="kq-muted kq-number">{one.icd10}</span>
          </span>
          <Button size="small" type="link" danger onClick={() => onChange?.(value.filter((other) => other !== one))}>
            删除
          </Button>
        </div>
      ))}
      {value.length < MOST && (
        <Select<string>
          key={value.length}
          {...(id && { id })}
          className="kq-wide"
          showSearch={{ filterOption: false, onSearch: search }}
          loading={fetching}
          placeholder="输入ICD-10编码、诊断名称或拼音首字母查找"
          notFoundContent={keyword === '' ? '请输入编码或名称' : fetching ? '加载中…' : '没有匹配的诊断'}
          options={keyword === '' ? [] : free.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))}
          onSelect={(code: string) => add(code)}
        />
      )}
    </div>
  );
}

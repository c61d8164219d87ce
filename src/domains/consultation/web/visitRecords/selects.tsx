import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { querySelectOptions as queryDoctorOptions } from '../../../doctor/contract/doctorCalls.ts';
import { queryDepartmentTree } from '../../../institution/contract/departmentCalls.ts';
import { querySelectOptions as queryHospitalOptions } from '../../../institution/contract/hospitalCalls.ts';

const FRESH = 60_000;
interface OneProps {
  value: string | undefined;
  onChange(value: string | undefined): void;
}
type Options = readonly { value: string; label: string }[] | undefined;

function Found({ value, onChange, found, known, loading, onSearch }: OneProps & { found: Options; known: Options; loading: boolean; onSearch(text: string): void }) {
  const options = new Map([...(known ?? []), ...(found ?? [])].map((option) => [option.value, { value: option.value, label: option.label }]));
  return (
    <Select
      className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch }} placeholder="全部" loading={loading} value={value ?? null} options={[...options.values()]} notFoundContent={loading ? '加载中…' : '没有匹配的选项'}
      onChange={(next: string | null) => onChange(next ?? undefined)}
    />
  );
}

export function HospitalSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryHospitalOptions, { limit: 20, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryHospitalOptions, { ids: props.value ? [props.value] : [], limit: 1 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Found {...props} found={found.data} known={known.data} loading={found.fetching} onSearch={search} />;
}

/** Assistants, found by name. */
export function AssistantSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryDoctorOptions, { type: 'ASSISTANT', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryDoctorOptions, { type: 'ASSISTANT', ids: props.value ? [props.value] : [], limit: 1 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Found {...props} found={found.data} known={known.data} loading={found.fetching} onSearch={search} />;
}

/** Departments of the hospital that is chosen beside it. */
export function DepartmentSelect({ hospitalId, ...props }: OneProps & { hospitalId: string | undefined }) {
  const { data, fetching } = useData(queryDepartmentTree, hospitalId ? { hospitalId } : {}, { enabled: Boolean(hospitalId), fresh: FRESH, quiet: true });
  return (
    <Select
      className="kq-wide" allowClear showSearch={{ optionFilterProp: 'label' }} disabled={!hospitalId} placeholder={hospitalId ? '全部' : '先选择并查询医院'} loading={fetching} value={props.value ?? null}
      options={hospitalId ? (data ?? []).map(({ id, name }) => ({ value: id, label: name })) : []} onChange={(next: string | null) => props.onChange(next ?? undefined)}
    />
  );
}

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { querySelectOptions as queryDoctorOptions } from '#domains/doctor/contract/calls/doctors.ts';
import { queryDepartmentTree } from '#domains/institution/contract/departmentCalls.ts';

const FRESH = 60_000;

/** Assistants, found by name. */
export function AssistantSelect(props: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryDoctorOptions, { type: 'ASSISTANT', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(
    queryDoctorOptions,
    { type: 'ASSISTANT', ids: props.value ? [props.value] : [], limit: 1 },
    { enabled: Boolean(props.value), fresh: FRESH, quiet: true },
  );
  return <FoundSelect {...props} found={found} options={useFoundOptions(props.value, found, known)} onSearch={search} />;
}

/** Departments of the hospital that is chosen beside it. */
export function DepartmentSelect({ hospitalId, ...props }: PickerProps<string> & { hospitalId: string | undefined }) {
  const { data, fetching } = useData(queryDepartmentTree, hospitalId ? { hospitalId } : {}, {
    enabled: Boolean(hospitalId),
    fresh: FRESH,
    quiet: true,
  });
  const options = hospitalId ? (data ?? []).map(({ id, name }) => ({ value: id, label: name })) : [];
  useChosenNames(props.value ? [props.value] : [], options);
  return (
    <Select
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      disabled={!hospitalId}
      placeholder={hospitalId ? '全部' : '先选择并查询医院'}
      loading={fetching}
      value={props.value ?? null}
      options={options}
      onChange={(next?: string) => props.onChange?.(next ?? null)}
    />
  );
}

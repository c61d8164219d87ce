import { Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryDepartmentTree } from '#domains/institution/contract/departmentCalls.ts';

const FRESH = 600_000;

/** One standard department; a group stands for all below it. */
export default function DeptSelect({ value, onChange, placeholder = '请选择', ...rest }: PickerProps<string>) {
  const found = useData(queryDepartmentTree, {}, { fresh: FRESH, quiet: true, kept: 'departments' });
  const options = (found.data ?? []).map((node) => ({ value: node.standardDeptCode ?? node.id, label: node.name }));
  useChosenNames(value ? [value] : [], options);
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      value={value ?? null}
      placeholder={placeholder}
      notFoundContent={<NoChoices of={found} none="没有符合的科室" />}
      options={options}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

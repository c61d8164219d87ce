import { Select } from 'antd';
import type { ComponentProps } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { StaffPicker as Picker } from '#kernel/web/kit/pickers.tsx';
import { queryChecker } from '../../contract/calls/users.ts';

type StaffPickerProps = ComponentProps<typeof Picker>;

/** Somebody who may do the work that he is chosen for. */
export default function StaffPicker({ permission, known, value, onChange, placeholder = '请选择', ...rest }: StaffPickerProps) {
  const found = useData(queryChecker, { permission: permission.code }, { fresh: 60_000, quiet: true });
  const choices = (found.data ?? []).map(({ userId, displayName, opNo }) => ({ value: userId, label: `${displayName}（${opNo}）` }));
  const options = known && !choices.some((one) => one.value === known.value) ? [known, ...choices] : choices;
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      notFoundContent={<NoChoices of={found} none="没有符合的员工" />}
      value={value ?? null}
      options={options}
      placeholder={placeholder}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

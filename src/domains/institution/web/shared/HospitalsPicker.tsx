import { Select } from 'antd';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useHospitalOptions } from './hospitalOptions.ts';

/** Several hospitals by name, other name or pinyin initials. */
export default function HospitalsPicker({ value, onChange, placeholder = '请输入医院名称', ...rest }: PickerProps<readonly string[]>) {
  const { options, found, search } = useHospitalOptions(value ?? []);
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      showSearch={{ filterOption: false, onSearch: search }}
      allowClear
      value={[...(value ?? [])]}
      placeholder={placeholder}
      loading={found.fetching}
      options={[...options]}
      onChange={(next) => onChange?.(next.length > 0 ? next : null)}
      notFoundContent={<NoChoices of={found} none="没有找到医院" />}
    />
  );
}

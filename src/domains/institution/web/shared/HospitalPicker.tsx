import { Select } from 'antd';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { useHospitalOptions } from './hospitalOptions.ts';

/** One hospital by name, other name or pinyin initials. */
export default function HospitalPicker({ value, onChange, placeholder = '请输入医院名称', adcode, onName, ...rest }: PickerProps<string> & { adcode?: string; onName?(name: string): void }) {
  const { options, names, found, search } = useHospitalOptions(value ? [value] : [], adcode);
  return (
    <Select
      {...rest}
      className="kq-wide"
      showSearch={{ filterOption: false, onSearch: search }}
      allowClear
      value={value ?? null}
      placeholder={placeholder}
      loading={found.fetching}
      options={options}
      onChange={(next) => {
        onChange?.(next ?? null);
        onName?.(names.get(next ?? '') ?? '');
      }}
      notFoundContent={<NoChoices of={found} none="没有找到医院" />}
    />
  );
}

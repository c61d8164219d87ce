import { Select } from 'antd';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { useHospitalOptions } from './hospitalOptions.ts';

/** Several hospitals by name, other name or pinyin initials. */
export default function HospitalsPicker({ value, onChange, placeholder = '请输入医院名称', ...rest }: PickerProps<readonly string[]>) {
  const { options, loading, search } = useHospitalOptions(value ?? []);
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      showSearch={{ filterOption: false, onSearch: search }}
      allowClear
      value={[...(value ?? [])]}
      placeholder={placeholder}
      loading={loading}
      options={options}
      onChange={(next) => onChange?.(next.length > 0 ? next : null)}
      notFoundContent={loading ? '正在查询…' : '没有找到医院'}
    />
  );
}

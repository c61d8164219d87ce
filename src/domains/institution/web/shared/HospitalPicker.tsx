import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useHospitalOptions } from './hospitalOptions.ts';

/** One hospital by name, other name or pinyin initials. */
export default function HospitalPicker({
  value,
  onChange,
  placeholder = '请输入医院名称',
  adcode,
  onName,
  ...rest
}: PickerProps<string> & { adcode?: string; onName?(name: string): void }) {
  const { options, names, found, search } = useHospitalOptions(value ? [value] : [], adcode);
  return (
    <FoundSelect
      {...rest}
      value={value}
      placeholder={placeholder}
      found={found}
      options={options}
      onSearch={search}
      none="没有找到医院"
      onChange={(next) => {
        onChange?.(next);
        onName?.(names.get(next ?? '') ?? '');
      }}
    />
  );
}

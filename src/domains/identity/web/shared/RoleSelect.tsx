import { Select } from 'antd';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useRoleOptions } from './roles.ts';

interface RoleSelectProps extends PickerProps<string> {
  /** Roles that cannot be chosen here. */
  without?: readonly string[];
}

/** One role, found by name or code. */
export function RoleSelect({ value, onChange, without = [], placeholder = '请选择角色', ...rest }: RoleSelectProps) {
  const options = useRoleOptions();
  useChosenNames(value ? [value] : [], options);
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      value={value || undefined}
      placeholder={placeholder}
      options={options.map((option) => ({ ...option, disabled: option.disabled || without.includes(option.value) }))}
      showSearch={{
        filterOption: (typed, shown) => {
          const option = options.find(({ value: id }) => id === shown?.value);
          return `${option?.label} ${option?.roleCode}`.toLowerCase().includes(typed.trim().toLowerCase());
        },
      }}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

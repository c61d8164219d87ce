import { Cascader } from 'antd';
import { useMemo } from 'react';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import { optionsOf, pathTo } from './regions.ts';

/** One region by province, city, district. */
export default function RegionPicker({ value, onChange, placeholder = '请选择省市区', ...rest }: PickerProps<string>) {
  const cityList = useSession((state) => state.cityList);
  const options = useMemo(() => optionsOf(cityList), [cityList]);
  const path = useMemo(() => (value ? pathTo(cityList, value) : undefined), [cityList, value]);
  return (
    <Cascader
      {...rest}
      className="kq-wide"
      options={options}
      value={path}
      changeOnSelect
      showSearch
      allowClear
      placeholder={placeholder}
      displayRender={(labels) => labels.join(' / ')}
      onChange={(next) => onChange?.(next?.at(-1) ?? null)}
    />
  );
}

import { TreeSelect } from 'antd';
import { useMemo } from 'react';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import { nodesOf } from './regions.ts';

/** Several regions; a ticked province or city stands for everything below it. */
export default function RegionsPicker({
  value,
  onChange,
  placeholder = '请选择区域，不选则不限制',
  ...rest
}: PickerProps<readonly string[]>) {
  const cityList = useSession((state) => state.cityList);
  const nodes = useMemo(() => nodesOf(cityList), [cityList]);
  return (
    <TreeSelect<string[]>
      {...rest}
      className="kq-wide"
      treeData={nodes}
      value={[...(value ?? [])]}
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_PARENT}
      showSearch={{ treeNodeFilterProp: 'title' }}
      allowClear
      maxTagCount={6}
      placeholder={placeholder}
      onChange={(next) => onChange?.(next.length ? next : null)}
    />
  );
}

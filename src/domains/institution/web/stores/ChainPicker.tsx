import { Select } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryChainList } from '../../contract/licenceCalls.ts';

/** One chain head office. */
export function ChainPicker({ value, onChange, placeholder = '请选择连锁总部', ...rest }: PickerProps<string>) {
  const { data } = useData(queryChainList, { pageNo: 1, pageSize: 999 }, { fresh: 60_000 });
  return <Select {...rest} className="kq-wide" allowClear showSearch={{ optionFilterProp: 'label' }} value={value ?? null} placeholder={placeholder} options={(data?.rows ?? []).map((row) => ({ value: row.id, label: `${row.name}${row.state === 'DISABLED' ? '（停用）' : ''}` }))} onChange={(next) => onChange?.(next ?? null)} />;
}

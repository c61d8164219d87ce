import { Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryChainList } from '../../contract/licenceCalls.ts';

/** One chain head office. */
export function ChainPicker({ value, onChange, placeholder = '请选择连锁总部', ...rest }: PickerProps<string>) {
  const chains = useData(queryChainList, { pageNo: 1, pageSize: 999 }, { fresh: 60_000, quiet: true });
  const options = (chains.data?.rows ?? []).map((row) => ({
    value: row.id,
    label: `${row.name}${row.state === 'DISABLED' ? '（停用）' : ''}`,
  }));
  useChosenNames(value ? [value] : [], options);
  return (
    <Select
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      placeholder={placeholder}
      loading={chains.fetching}
      notFoundContent={<NoChoices of={chains} none="没有符合的连锁" />}
      options={options}
      onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

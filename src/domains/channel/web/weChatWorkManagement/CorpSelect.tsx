import { Select } from 'antd';
import { useList } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryCorpList } from '../../contract/calls/wecom.ts';

interface CorpSelectProps extends PickerProps<string> {
  /** Only those that new codes can be made in. */
  connectedOnly?: boolean;
}

/** One of the connected companies. */
export function CorpSelect({ id, value, onChange, placeholder = '请选择', connectedOnly = false }: CorpSelectProps) {
  const corps = useList(queryCorpList, { pageNo: 1, pageSize: 100 }, { quiet: true, fresh: 30_000 });
  const options =
    corps.rows?.map((corp) => ({ value: corp.id, label: corp.name, disabled: connectedOnly && corp.state !== 'CONNECTED' })) ?? [];
  useChosenNames(value ? [value] : [], options);
  return (
    <Select<string>
      {...(id && { id })}
      className="kq-wide"
      allowClear
      value={value ?? null}
      placeholder={placeholder}
      loading={corps.fetching}
      notFoundContent={<NoChoices of={corps} none="还没有接入企业" />}
      options={options}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

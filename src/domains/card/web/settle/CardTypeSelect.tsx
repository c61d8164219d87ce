import { Select } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryFunderTypeOptions } from '../../contract/calls/funds.ts';

interface Props {
  id?: string;
  value?: string;
  onChange?(value: string): void;
}

/** A card type that its funder pays in advance. */
export function CardTypeSelect(props: Props) {
  const { data, fetching } = useData(queryFunderTypeOptions, {}, { quiet: true, fresh: 60_000 });
  return (
    <Select
      {...props}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择预付结算的卡种"
      loading={fetching}
      options={(data ?? []).map(({ value, label }) => ({ value, label }))}
    />
  );
}

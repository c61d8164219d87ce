import { Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { queryFunderTypeOptions } from '../../contract/calls/funds.ts';

interface Props {
  id?: string;
  value?: string;
  onChange?(value: string): void;
}

/** A card type that its funder pays in advance. */
export function CardTypeSelect(props: Props) {
  const found = useData(queryFunderTypeOptions, {}, { quiet: true, fresh: 60_000 });
  return (
    <Select
      {...props}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择预付结算的卡种"
      loading={found.fetching}
      notFoundContent={<NoChoices of={found} none="没有预付结算的卡种" />}
      options={(found.data ?? []).map(({ value, label }) => ({ value, label }))}
    />
  );
}

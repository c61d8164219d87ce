import { Select } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { queryFindingOwnerOptions } from '../../contract/calls/abnormal.ts';

/** Somebody who may handle findings; works inside a form item. */
export function OwnerSelect(props: { id?: string; value?: string; onChange?(userId: string): void }) {
  const found = useData(queryFindingOwnerOptions, {}, { quiet: true });
  return (
    <Select<string>
      {...props}
      placeholder="请选择"
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      options={(found.data ?? []).map(({ userId, displayName }) => ({ value: userId, label: displayName }))}
      notFoundContent={<NoChoices of={found} none="没有可以处理异常的人员" />}
    />
  );
}

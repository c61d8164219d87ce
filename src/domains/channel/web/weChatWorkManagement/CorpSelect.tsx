import { Select } from 'antd';
import { useList } from '../../../../kernel/web/http/queries.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import { queryCorpList } from '../../contract/calls/wecom.ts';

interface CorpSelectProps {
  id?: string;
  value?: string | undefined;
  onChange?(value: string | null): void;
  placeholder?: string;
  /** Only those that new codes can be made in. */
  connectedOnly?: boolean;
}

/** One of the connected companies. */
export function CorpSelect({ id, value, onChange, placeholder = '请选择', connectedOnly = false }: CorpSelectProps) {
  const corps = useList(queryCorpList, { pageNo: 1, pageSize: 100 }, { quiet: true, fresh: 30_000 });
  return (
    <Select<string>
      {...(id && { id })} className="kq-wide" allowClear value={value ?? null} placeholder={placeholder} loading={corps.fetching} notFoundContent={<NoChoices of={corps} none="还没有接入企业" />}
      options={corps.rows?.map((corp) => ({ value: corp.id, label: corp.name, disabled: connectedOnly && corp.state !== 'CONNECTED' })) ?? []} onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryAgentSelectOptions, queryDrugSelectOptions } from '../../contract/calls/options.ts';

type Kind = 'COMPANY' | 'LINE' | 'MEDICINE' | 'SKU' | 'CATEGORY' | 'DISEASE' | 'AGENT';

interface Asked {
  kind: Kind;
  companyId?: string | undefined;
  placeholder?: string;
  disabled?: boolean;
  id?: string;
}

interface OneProps extends Asked {
  value?: string | null | undefined;
  onChange?(value: string | null): void;
}
interface ManyProps extends Asked {
  value?: readonly string[] | undefined;
  onChange?(value: string[]): void;
}

/** Choices found by keyword, together with the labels of what is chosen. */
function useOptions(kind: Kind, companyId: string | undefined, chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const base = { limit: 50, ...(companyId ? { companyId } : {}), ...(keyword ? { keyword } : {}) };
  const isAgent = kind === 'AGENT';
  const drugs = useData(queryDrugSelectOptions, { type: isAgent ? 'COMPANY' : kind, ...base }, { enabled: !isAgent, fresh: 30_000 });
  const agents = useData(queryAgentSelectOptions, { type: 'AGENT', ...base }, { enabled: isAgent, fresh: 30_000 });
  const ids = [...chosen].slice(0, 50);
  const knownDrugs = useData(queryDrugSelectOptions, { type: isAgent ? 'COMPANY' : kind, ids, limit: 50 }, { enabled: !isAgent && ids.length > 0, fresh: 30_000 });
  const knownAgents = useData(queryAgentSelectOptions, { type: 'AGENT', ids, limit: 50 }, { enabled: isAgent && ids.length > 0, fresh: 30_000 });
  const found = isAgent ? agents : drugs;
  const known = isAgent ? knownAgents : knownDrugs;
  const options = useMemo(() => {
    const all = new Map([...(known.data ?? []), ...(found.data ?? [])].map(({ value, label }) => [value, { value, label }]));
    return [...all.values()];
  }, [known.data, found.data]);
  return { options, search, loading: found.fetching };
}

/** One company, line, medicine, category or representative. */
export function OptionSelect({ kind, companyId, value, onChange, ...rest }: OneProps) {
  const { options, search, loading } = useOptions(kind, companyId, value ? [value] : []);
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      loading={loading}
      value={value ?? null}
      options={options}
      placeholder={rest.placeholder ?? '请选择'}
      notFoundContent={loading ? '加载中…' : '没有符合的选项'}
      onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

/** Several of them. */
export function OptionsSelect({ kind, companyId, value, onChange, ...rest }: ManyProps) {
  const { options, search, loading } = useOptions(kind, companyId, value ?? []);
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      showSearch={{ filterOption: false, onSearch: search }}
      loading={loading}
      value={[...(value ?? [])]}
      options={options}
      placeholder={rest.placeholder ?? '请选择'}
      notFoundContent={loading ? '加载中…' : '没有符合的选项'}
      onChange={(next) => onChange?.(next)}
    />
  );
}

const one = (value: string | readonly string[] | undefined) => (typeof value === 'string' ? value : value?.[0]);

/** As a search field of a list. */
export const optionFilter = <Name extends string>(name: Name, label: string, kind: Kind) => ({
  kind: 'custom' as const, name, label,
  render: ({ value, onChange }: { value: string | readonly string[] | undefined; onChange(value: string | undefined): void }) => (
    <OptionSelect kind={kind} value={one(value) ?? null} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} />
  ),
});

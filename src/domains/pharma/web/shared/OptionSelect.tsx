import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect, FoundSelects } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryAgentSelectOptions, queryDrugSelectOptions } from '../../contract/calls/options.ts';

type Kind = 'COMPANY' | 'LINE' | 'MEDICINE' | 'SKU' | 'CATEGORY' | 'DISEASE' | 'AGENT';

interface Asked {
  kind: Kind;
  companyId?: string | undefined;
  placeholder?: string;
  disabled?: boolean;
  id?: string;
}

type OneProps = Asked & PickerProps<string>;
interface ManyProps extends Asked {
  value?: readonly string[] | undefined;
  onChange?(value: string[]): void;
}

/** Choices found by keyword, together with the labels of what is chosen. */
function useOptions(kind: Kind, companyId: string | undefined, chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const base = { limit: 50, ...(companyId ? { companyId } : {}), ...(keyword ? { keyword } : {}) };
  const isAgent = kind === 'AGENT';
  const drugs = useData(
    queryDrugSelectOptions,
    { type: isAgent ? 'COMPANY' : kind, ...base },
    { enabled: !isAgent, fresh: 30_000, quiet: true },
  );
  const agents = useData(queryAgentSelectOptions, { type: 'AGENT', ...base }, { enabled: isAgent, fresh: 30_000, quiet: true });
  const ids = [...chosen].slice(0, 50);
  const knownDrugs = useData(
    queryDrugSelectOptions,
    { type: isAgent ? 'COMPANY' : kind, ids, limit: 50 },
    { enabled: !isAgent && ids.length > 0, fresh: 30_000, quiet: true },
  );
  const knownAgents = useData(
    queryAgentSelectOptions,
    { type: 'AGENT', ids, limit: 50 },
    { enabled: isAgent && ids.length > 0, fresh: 30_000, quiet: true },
  );
  const found = isAgent ? agents : drugs;
  const known = isAgent ? knownAgents : knownDrugs;
  const options = [
    ...withNameless(
      useChoices(chosen, found.data, known.data).map(({ value, label }) => ({ value, label })),
      chosen,
      known.fetching || found.fetching,
    ),
  ];
  return { options, search, found };
}

/** One company, line, medicine, category or representative. */
export function OptionSelect({ kind, companyId, value, onChange, ...rest }: OneProps) {
  const { options, search, found } = useOptions(kind, companyId, value ? [value] : []);
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

/** Several of them. */
export function OptionsSelect({ kind, companyId, value, onChange, ...rest }: ManyProps) {
  const { options, search, found } = useOptions(kind, companyId, value ?? []);
  return <FoundSelects {...rest} {...{ value, onChange, found, options }} onSearch={search} />;
}

/** As a search field of a list. */
export const optionFilter = <Name extends string>(name: Name, kind: Kind) => ({
  kind: 'picker' as const,
  name,
  picker: (props: PickerProps<string>) => <OptionSelect {...props} kind={kind} />,
});

import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect, FoundSelects } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';

function useDrugs(type: 'MEDICINE' | 'COMPANY', chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const reading = { fresh: 30_000, quiet: true } as const;
  const found = useData(queryDrugSelectOptions, { type, limit: 50, ...(keyword !== '' && { keyword }) }, reading);
  const ids = [...chosen].slice(0, 50);
  const known = useData(queryDrugSelectOptions, { type, ids, limit: 50 }, { ...reading, enabled: ids.length > 0 });
  const options = withNameless(
    useChoices(chosen, found.data, known.data).map(({ value, label }) => ({ value, label })),
    chosen,
    found.fetching || known.fetching,
  );
  return { options: [...options], search, found };
}

/** One medicine or pharma company of the catalogue. */
export function DrugSelect({ type, value, onChange, ...rest }: PickerProps<string> & { type: 'MEDICINE' | 'COMPANY' }) {
  const { options, search, found } = useDrugs(type, value ? [value] : []);
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

/** Several medicines. */
export function DrugsSelect({ value, onChange, placeholder = '不限', ...rest }: PickerProps<readonly string[]>) {
  const { options, search, found } = useDrugs('MEDICINE', value ?? []);
  return <FoundSelects {...rest} {...{ value, onChange, placeholder, found, options }} onSearch={search} />;
}

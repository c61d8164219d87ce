import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '../../../../kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '../../../insurance/contract/products/options.ts';

const reading = { fresh: 30_000, quiet: true } as const;

/** One insurer, found by typing. */
export function InsurerSelect({ value, onChange, ...rest }: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryProductOptions, { type: 'INSURER', ...(keyword !== '' && { keyword }) }, reading);
  const known = useData(queryProductOptions, { type: 'INSURER', ids: value ? [value] : [] }, { ...reading, enabled: Boolean(value) });
  const options = useFoundOptions(value, found, known);
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

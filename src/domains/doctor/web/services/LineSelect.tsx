import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';

const FRESH = 30_000;

/** Product line that sponsors an item. */
export default function LineSelect(props: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryDrugSelectOptions, { type: 'LINE', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(
    queryDrugSelectOptions,
    { type: 'LINE', ids: props.value ? [props.value] : [], limit: 50 },
    { enabled: Boolean(props.value), fresh: FRESH, quiet: true },
  );
  return <FoundSelect {...props} found={found} options={useFoundOptions(props.value, found, known)} onSearch={search} />;
}

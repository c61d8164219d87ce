import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryAgentSelectOptions } from '#domains/pharma/contract/calls/options.ts';

const FRESH = 30_000;

/** One medical representative, by name or number. */
export default function AgentSelect(props: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryAgentSelectOptions, { type: 'AGENT', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(
    queryAgentSelectOptions,
    { type: 'AGENT', ids: props.value ? [props.value] : [], limit: 50 },
    { enabled: Boolean(props.value), fresh: FRESH, quiet: true },
  );
  return <FoundSelect {...props} found={found} options={useFoundOptions(props.value, found, known)} onSearch={search} />;
}

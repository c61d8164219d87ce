import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryAgentSelectOptions } from '#domains/pharma/contract/calls/options.ts';

const FRESH = { quiet: true, fresh: 30_000 } as const;

/** One representative by name, pinyin or number. */
export function AgentPicker(props: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const ids = props.value ? [props.value] : [];
  const found = useData(queryAgentSelectOptions, { type: 'AGENT', limit: 50, ...(keyword !== '' && { keyword }) }, FRESH);
  const known = useData(queryAgentSelectOptions, { type: 'AGENT', ids, limit: 1 }, { ...FRESH, enabled: ids.length > 0 });
  const options = useFoundOptions(props.value, found, known);
  return (
    <FoundSelect placeholder="输入姓名或工号查找代表" {...props} found={found} options={options} onSearch={search} none="没有找到代表" />
  );
}

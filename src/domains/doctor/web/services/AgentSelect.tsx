import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryAgentSelectOptions } from '../../../pharma/contract/calls/options.ts';
import { Choice, FRESH, type OneProps } from './Choice.tsx';

/** One medical representative, by name or number. */
export default function AgentSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryAgentSelectOptions, { type: 'AGENT', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryAgentSelectOptions, { type: 'AGENT', ids: props.value ? [props.value] : [], limit: 50 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

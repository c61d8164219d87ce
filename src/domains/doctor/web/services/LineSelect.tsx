import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryDrugSelectOptions } from '../../../pharma/contract/calls/options.ts';
import { Choice, FRESH, type OneProps } from './Choice.tsx';

/** Product line that sponsors an item. */
export default function LineSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryDrugSelectOptions, { type: 'LINE', limit: 50, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryDrugSelectOptions, { type: 'LINE', ids: props.value ? [props.value] : [], limit: 50 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { querySelectOptions as queryHospitalOptions } from '../../../institution/contract/hospitalCalls.ts';
import { Choice, FRESH, type OneProps } from './Choice.tsx';

/** One hospital, by name, other name or pinyin. */
export default function HospitalSelect(props: OneProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryHospitalOptions, { limit: 20, ...(keyword && { keyword }) }, { fresh: FRESH, quiet: true });
  const known = useData(queryHospitalOptions, { ids: props.value ? [props.value] : [], limit: 1 }, { enabled: Boolean(props.value), fresh: FRESH, quiet: true });
  return <Choice {...props} found={found} known={known} onSearch={search} />;
}

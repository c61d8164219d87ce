import { useEffect, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { querySelectOptions } from '../../contract/hospitalCalls.ts';

const TYPING_MS = 300;
/** As many as one call answers. */
const MOST = 50;

/** Hospitals that fit what is typed, together with those that are chosen. */
export function useHospitalOptions(chosen: readonly string[], adcode?: string) {
  const [typed, setTyped] = useState('');
  const [keyword, setKeyword] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const ids = chosen.slice(0, MOST);
  const found = useData(
    querySelectOptions,
    { ...(keyword && { keyword }), ...(adcode && { adcode }), limit: 20 },
    { fresh: 30_000, quiet: true },
  );
  const known = useData(querySelectOptions, { ids, limit: MOST }, { enabled: ids.length > 0, fresh: 60_000, quiet: true });
  const all = useChoices(chosen, found.data, ids.length > 0 ? known.data : undefined);
  return {
    found,
    search: setTyped,
    names: new Map(all.map((option) => [option.value, option.label])),
    options: withNameless(
      all.map((option) => ({ value: option.value, label: `${option.label}（${hospitalLevels.label(option.level)}，${option.city}）` })),
      ids,
      known.fetching || found.fetching,
    ),
  };
}

import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';

/** One medicine of the catalogue, found by its name. */
export function MedicineSelect({ value, onChange, id }: { id?: string; value?: string; onChange?(value: string | null): void }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(
    queryDrugSelectOptions,
    { type: 'MEDICINE', limit: 50, ...(keyword && { keyword }) },
    { quiet: true, fresh: 30_000 },
  );
  const known = useData(
    queryDrugSelectOptions,
    { type: 'MEDICINE', ids: value ? [value] : [], limit: 1 },
    { enabled: Boolean(value), quiet: true, fresh: 30_000 },
  );
  const options = [...new Map([...(known.data ?? []), ...(found.data ?? [])].map((option) => [option.value, option])).values()];
  return (
    <FoundSelect
      {...(id && { id })}
      value={value}
      onChange={onChange}
      found={found}
      options={options.map((option) => ({ value: option.value, label: option.label }))}
      onSearch={search}
      placeholder="按名称查找药品"
    />
  );
}

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';
import { querySelectOptions } from '../../contract/calls/cards.ts';

interface Several {
  id?: string;
  value?: readonly string[];
  onChange?(value: readonly string[]): void;
  placeholder: string;
}
interface Reading {
  data: readonly { value: string; label: string }[] | undefined;
  fetching: boolean;
  error: unknown;
  refetch(): unknown;
}
/** As many as one call names. */
const NAMED = 50;

function Chosen({
  value = [],
  onChange,
  found,
  known,
  onSearch,
  ...rest
}: Several & { found: Reading; known: Reading; onSearch(keyword: string): void }) {
  const options = withNameless(useChoices(value, found.data, known.data), value, known.fetching || found.fetching);
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      allowClear
      value={[...value]}
      maxTagCount="responsive"
      showSearch={{ filterOption: false, onSearch }}
      loading={found.fetching}
      options={options.map((option) => ({ value: option.value, label: option.label }))}
      notFoundContent={<NoChoices of={found} none="没有找到" />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** Medicines of the catalogue, found by typing; what is chosen already keeps its name. */
export function MedicinesSelect(props: Several) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const value = (props.value ?? []).slice(0, NAMED);
  const found = useData(
    queryDrugSelectOptions,
    { type: 'MEDICINE', limit: 30, ...(keyword !== '' && { keyword }) },
    { quiet: true, fresh: 60_000 },
  );
  const known = useData(
    queryDrugSelectOptions,
    { type: 'MEDICINE', ids: value, limit: NAMED },
    { quiet: true, fresh: 60_000, enabled: value.length > 0 },
  );
  return <Chosen {...props} found={found} known={known} onSearch={search} />;
}

/** Drugstores or leaf categories of medicines, found by name or code. */
export function PlacesSelect({ type, ...props }: Several & { type: 'DRUGSTORE' | 'CATEGORY' }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const value = props.value ?? [];
  const found = useData(querySelectOptions, { type, ...(keyword !== '' && { keyword }) }, { quiet: true, fresh: 60_000 });
  const known = useData(querySelectOptions, { type, ids: [...value] }, { quiet: true, fresh: 60_000, enabled: value.length > 0 });
  return <Chosen {...props} found={found} known={known} onSearch={search} />;
}

import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { querySelectOptions, type optionTypes } from '../../contract/calls/cards.ts';

const reading = { quiet: true, fresh: 30_000 } as const;

/** One of the domain's records, found by its name. */
const pickerOf = (type: (typeof optionTypes)[number]) =>
  function Picker({ value, ...rest }: PickerProps<string>) {
    const [keyword, setKeyword] = useState('');
    const search = useDebouncedCallback(setKeyword);
    const found = useData(querySelectOptions, { type, ...(keyword && { keyword }) }, reading);
    const known = useData(querySelectOptions, { type, ids: value ? [value] : [] }, { ...reading, enabled: Boolean(value) });
    const options = useFoundOptions(value, found, known);
    return <FoundSelect {...rest} value={value} found={found} options={options} onSearch={search} />;
  };
export const CardTypeFilter = pickerOf('CARD_TYPE');
export const CardBatchFilter = pickerOf('BATCH');

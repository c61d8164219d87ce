import { useState } from 'react';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { useDebouncedCallback } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '../../../../kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '../../../insurance/contract/products/options.ts';

type Type = 'INSURER' | 'PRODUCT';
const reading = { fresh: 30_000, quiet: true } as const;

/** A copied product bears the name of its source: its code says which one it is. */
const namedIn = (type: Type, rows: AnswerOf<typeof queryProductOptions> | undefined) =>
  rows?.map(({ value, label, extra }) => ({
    value,
    label: type === 'PRODUCT' && typeof extra.code === 'string' ? `${label}（${extra.code}）` : label,
  }));

/** One insurer or product, found by typing. */
export function OptionSelect({ type, value, onChange, ...rest }: PickerProps<string> & { type: Type }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryProductOptions, { type, ...(keyword !== '' && { keyword }) }, reading);
  const known = useData(queryProductOptions, { type, ids: value ? [value] : [] }, { ...reading, enabled: Boolean(value) });
  const options = useFoundOptions(
    value,
    { ...found, data: namedIn(type, found.data) },
    { data: namedIn(type, known.data), fetching: known.fetching },
  );
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

export const InsurerSelect = (props: PickerProps<string>) => <OptionSelect {...props} type="INSURER" />;
const Product = (props: PickerProps<string>) => <OptionSelect {...props} type="PRODUCT" />;

/** As search fields of a list. */
export const insurerFilter = { kind: 'picker', name: 'insurerId', picker: InsurerSelect } as const;
export const productFilter = { kind: 'picker', name: 'productId', picker: Product } as const;

import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '../../../../kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '../../../insurance/contract/products/options.ts';

type Type = 'INSURER' | 'PRODUCT';
const reading = { fresh: 30_000, quiet: true } as const;

/** One insurer or product, found by typing. */
export function OptionSelect({ type, value, onChange, ...rest }: PickerProps<string> & { type: Type }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryProductOptions, { type, ...(keyword !== '' && { keyword }) }, reading);
  const known = useData(queryProductOptions, { type, ids: value ? [value] : [] }, { ...reading, enabled: Boolean(value) });
  const options = useFoundOptions(value, found, known);
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

const Insurer = (props: PickerProps<string>) => <OptionSelect {...props} type="INSURER" />;
const Product = (props: PickerProps<string>) => <OptionSelect {...props} type="PRODUCT" />;

/** As search fields of a list. */
export const insurerFilter = { kind: 'picker', name: 'insurerId', label: '保司', picker: Insurer } as const;
export const productFilter = { kind: 'picker', name: 'productId', label: '产品', picker: Product } as const;

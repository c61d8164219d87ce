import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { querySupplierOptions } from '../../contract/calls/fulfilments.ts';

/** One supplier, found by name or code; the value is its id. */
export function SupplierSelect({ value, placeholder = '输入供应商名称或编码', ...rest }: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(querySupplierOptions, keyword === '' ? {} : { keyword }, { fresh: 30_000, quiet: true });
  const chosen = value ? [value] : [];
  const options = withNameless(useChoices(chosen, found.data, []), chosen, found.fetching);
  return <FoundSelect {...rest} {...{ value, placeholder, found, options }} onSearch={search} none="没有找到供应商" />;
}

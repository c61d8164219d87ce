import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { querySupplierOptions } from '../../contract/calls/fulfilments.ts';

type Known = readonly { value: string; label: string }[];

/** One supplier, found by name or code; the value is its id. @param known names of those that the page knows already */
export function SupplierSelect({
  value,
  placeholder = '输入供应商名称或编码',
  known = [],
  ...rest
}: PickerProps<string> & { known?: Known }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(querySupplierOptions, keyword === '' ? {} : { keyword }, { fresh: 30_000, quiet: true });
  const chosen = value ? [value] : [];
  const options = withNameless(useChoices(chosen, found.data, known), chosen, found.fetching);
  return <FoundSelect {...rest} {...{ value, placeholder, found, options }} onSearch={search} none="没有找到供应商" />;
}

import { useState } from 'react';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { useChoices, withNameless } from '../../../../kernel/web/kit/choices.ts';
import { FoundSelect, FoundSelects } from '../../../../kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '../../contract/products/options.ts';

type Type = 'INSURER' | 'PRODUCT' | 'FORMULARY' | 'ENTITLEMENT';

function useOptions(type: Type, chosen: readonly string[], more: Partial<InputOf<typeof queryProductOptions>>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const reading = { fresh: 30_000, quiet: true } as const;
  const found = useData(queryProductOptions, { type, ...more, ...(keyword !== '' && { keyword }) }, reading);
  const ids = [...chosen].slice(0, 50);
  const known = useData(queryProductOptions, { type, ids }, { ...reading, enabled: ids.length > 0 });
  const options = withNameless(
    useChoices(chosen, found.data, known.data).map(({ value, label }) => ({ value, label })),
    chosen,
    found.fetching || known.fetching,
  );
  return { options: [...options], search, found };
}

type OneProps = PickerProps<string> & { type: Type };

/** One insurer, product, drug list or definition, found by typing. */
export function OptionSelect({ type, value, onChange, ...rest }: OneProps) {
  const { options, search, found } = useOptions(type, value ? [value] : [], {});
  return <FoundSelect {...rest} value={value} onChange={onChange} found={found} options={options} onSearch={search} />;
}

/** Several insurers; null: none chosen. For scopes of people. */
export function InsurersSelect({ value, onChange, placeholder = '请选择保司', ...rest }: PickerProps<readonly string[]>) {
  const { options, search, found } = useOptions('INSURER', value ?? [], {});
  const choose = (ids: readonly string[]) => onChange?.(ids.length === 0 ? null : ids);
  return <FoundSelects {...rest} {...{ value, placeholder, found, options }} onSearch={search} onChange={choose} />;
}

/** As a search field of a list. */
export const optionFilter = <Name extends string>(name: Name, label: string, type: Type) => ({
  kind: 'picker' as const,
  name,
  label,
  picker: (props: PickerProps<string>) => <OptionSelect {...props} type={type} />,
});

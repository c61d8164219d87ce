import { Select } from 'antd';
import { useState } from 'react';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect, FoundSelects } from '#kernel/web/kit/FoundSelect.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '../../contract/products/options.ts';

type Type = 'INSURER' | 'PRODUCT' | 'FORMULARY' | 'ENTITLEMENT' | 'DRUGSTORE';
type Option = { value: string; label: string };
type Found = Pick<AnswerOf<typeof queryProductOptions>[number], keyof Option | 'extra'>;

/** A copied product bears the name of its source: its code says which one it is. */
const namedIn = (type: Type, rows: readonly Found[] | undefined): Option[] | undefined =>
  rows?.map(({ value, label, extra }) => ({
    value,
    label: type === 'PRODUCT' && typeof extra.code === 'string' ? `${label}（${extra.code}）` : label,
  }));

/** @param named names that the page knows already: one call answers no more than fifty */
function useOptions(
  type: Type,
  chosen: readonly string[],
  more: Partial<InputOf<typeof queryProductOptions>>,
  named: readonly Option[] = [],
) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const reading = { fresh: 30_000, quiet: true } as const;
  const found = useData(queryProductOptions, { type, ...more, ...(keyword !== '' && { keyword }) }, reading);
  const ids = chosen.filter((id) => !named.some(({ value }) => value === id)).slice(0, 50);
  const known = useData(queryProductOptions, { type, ids }, { ...reading, enabled: ids.length > 0 });
  const options = withNameless(
    useChoices(chosen, namedIn(type, found.data), [...named, ...(namedIn(type, known.data) ?? [])]),
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

export const InsurerSelect = (props: PickerProps<string>) => <OptionSelect {...props} type="INSURER" />;
export const ProductSelect = (props: PickerProps<string>) => <OptionSelect {...props} type="PRODUCT" />;

/** Several insurers; null: none chosen. For scopes of people. */
export function InsurersSelect({ value, onChange, placeholder = '请选择保司', ...rest }: PickerProps<readonly string[]>) {
  const { options, search, found } = useOptions('INSURER', value ?? [], {});
  const choose = (ids: readonly string[]) => onChange?.(ids.length === 0 ? null : ids);
  return <FoundSelects {...rest} {...{ value, placeholder, found, options }} onSearch={search} onChange={choose} />;
}

interface DrugstoresProps extends Omit<PickerProps<readonly string[]>, 'onChange'> {
  onChange(ids: string[]): void;
  named: readonly { id: string; name: string }[];
}

/** Many drugstores, found by name or number. */
export function DrugstoresSelect({ value, onChange, named, placeholder = '输入药店名称或编号', ...rest }: DrugstoresProps) {
  const chosen = value ?? [];
  const { options, search, found } = useOptions(
    'DRUGSTORE',
    chosen,
    {},
    named.map(({ id, name }) => ({ value: id, label: name })),
  );
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      loading={found.fetching}
      value={[...chosen]}
      options={[...options]}
      placeholder={placeholder}
      notFoundContent={<NoChoices of={found} none="没有找到营业中的药店" />}
      onChange={onChange}
    />
  );
}

/** As a search field of a list. */
export const optionFilter = <Name extends string>(name: Name, type: Type) => ({
  kind: 'picker' as const,
  name,
  picker: (props: PickerProps<string>) => <OptionSelect {...props} type={type} />,
});

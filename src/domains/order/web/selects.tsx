import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { queryProductOptions } from '#domains/insurance/contract/products/options.ts';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect, FoundSelects } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import type { Division } from '#kernel/web/session/gateway.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { isCity } from '../contract/rules/city.ts';

interface Option {
  value: string;
  label: string;
}
/** Names of chosen ones that the page knows already. */
interface Known {
  known?: readonly Option[];
}
type One = PickerProps<string> & Known;
type Several = Omit<PickerProps<readonly string[]>, 'onChange'> & Known & { onChange?(values: string[]): void };

const reading = { fresh: 30_000, quiet: true } as const;

function useGoods(chosen: readonly string[], known: readonly Option[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryDrugSelectOptions, { type: 'SKU', ...(keyword !== '' && { keyword }), limit: 50 }, reading);
  const named = found.data?.flatMap(({ label, extra: { goodsCode } }) =>
    typeof goodsCode === 'string' ? [{ value: goodsCode, label }] : [],
  );
  return { options: withNameless(useChoices(chosen, named, known), chosen, found.fetching), search, found };
}

/** One of the goods on sale, found by name, pinyin initials or code; the value is its code. */
export function GoodsSelect({ known = [], value, placeholder = '输入药品名称或商品编码', ...rest }: One) {
  const { options, search, found } = useGoods(value ? [value] : [], known);
  return <FoundSelect {...rest} {...{ value, placeholder, found, options }} onSearch={search} none="没有找到在售商品" />;
}

export function GoodsSelects({ known = [], value, placeholder = '输入药品名称或商品编码，可多选', ...rest }: Several) {
  const { options, search, found } = useGoods(value ?? [], known);
  return <FoundSelects {...rest} {...{ value, placeholder, found, options }} onSearch={search} />;
}

function useProducts(chosen: readonly string[], known: readonly Option[]) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryProductOptions, { type: 'PRODUCT', ...(keyword !== '' && { keyword }) }, reading);
  const named = found.data?.flatMap(({ label, extra: { code } }) =>
    typeof code === 'string' ? [{ value: code, label: `${label}（${code}）` }] : [],
  );
  return { options: withNameless(useChoices(chosen, named, known), chosen, found.fetching), search, found };
}

/** One insurance product; the value is its code. */
export function ProductCodeSelect({ known = [], value, placeholder = '输入产品名称或编码', ...rest }: One) {
  const { options, search, found } = useProducts(value ? [value] : [], known);
  return <FoundSelect {...rest} {...{ value, placeholder, found, options }} onSearch={search} />;
}

export function ProductCodeSelects({ known = [], value, placeholder = '输入产品名称或编码，可多选', ...rest }: Several) {
  const { options, search, found } = useProducts(value ?? [], known);
  return <FoundSelects {...rest} {...{ value, placeholder, found, options }} onSearch={search} />;
}

/** One drugstore, found by name or number; the value is its id. */
export function StoreSelect({ known = [], value, placeholder = '输入药店名称或编号', ...rest }: One) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryProductOptions, { type: 'DRUGSTORE', ...(keyword !== '' && { keyword }) }, reading);
  const options = withNameless(useChoices(value ? [value] : [], found.data, known), value ? [value] : [], found.fetching);
  return <FoundSelect {...rest} {...{ value, placeholder, found, options }} onSearch={search} none="没有找到营业中的药店" />;
}

/** Levels that only the numbering of regions needs are no cities. */
const isNumbering = (name: string) => name === '市辖区' || name === '县' || name.includes('直辖县级');

/** Cities of a country's divisions with the province before their names. */
function citiesIn(divisions: readonly Division[], above = ''): Option[] {
  return divisions.flatMap(({ adcode, name, districts = [] }) => {
    const own = isCity(adcode) && !isNumbering(name);
    return own ? [{ value: adcode, label: `${above}${name}` }] : citiesIn(districts, isNumbering(name) ? above : `${above}${name}`);
  });
}

function useCities(): Option[] {
  const divisions = useSession((state) => state.cityList);
  return useMemo(() => citiesIn(divisions), [divisions]);
}
const byLabel = { optionFilterProp: 'label' } as const;

/** One city by name; the value is its adcode. */
export function CitySelect({ value, onChange, placeholder = '请选择城市', ...rest }: PickerProps<string>) {
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={byLabel}
      value={value ?? null}
      options={useCities()}
      placeholder={placeholder}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

export function CitySelects({ value, placeholder = '请选择城市，可多选', onChange, id, disabled }: Several) {
  return (
    <Select<string[]>
      {...(id !== undefined && { id })}
      {...(disabled !== undefined && { disabled })}
      className="kq-wide"
      mode="multiple"
      allowClear
      maxTagCount={6}
      showSearch={byLabel}
      value={[...(value ?? [])]}
      options={useCities()}
      placeholder={placeholder}
      onChange={(next) => onChange?.(next)}
    />
  );
}

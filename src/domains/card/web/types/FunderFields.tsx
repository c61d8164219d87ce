import { Form, Select } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryProductOptions } from '#domains/insurance/contract/products/options.ts';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';
import { querySelectOptions } from '../../contract/calls/cards.ts';
import { addCardType } from '../../contract/calls/types.ts';
import { funders } from '../../contract/dictionaries.ts';

const FRESH = { quiet: true, fresh: 30_000 } as const;
type Chosen = PickerProps<string> & { onName(name: string): void };

/** One pharma company of the catalogue. */
function CompanySelect({ onName, onChange, ...rest }: Chosen) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const ids = rest.value ? [rest.value] : [];
  const found = useData(queryDrugSelectOptions, { type: 'COMPANY', limit: 50, ...(keyword !== '' && { keyword }) }, FRESH);
  const known = useData(queryDrugSelectOptions, { type: 'COMPANY', ids, limit: 1 }, { ...FRESH, enabled: ids.length > 0 });
  const options = useFoundOptions(rest.value, found, known);
  return (
    <FoundSelect
      {...rest}
      placeholder="输入名称查找药企"
      found={found}
      options={options}
      none="没有找到药企"
      onSearch={search}
      onChange={(next) => {
        onChange?.(next);
        onName(options.find(({ value }) => value === next)?.label ?? '');
      }}
    />
  );
}

/** An entry that is no number: the name that was typed. */
const NEW = 'new:';

/** One of those that cards were made for before; besides an insurer that works with us, or an enterprise of a new name. */
function RegisteredSelect({ kind, name, onName, onChange, value, id }: Chosen & { kind: 'INSURER' | 'SPONSOR'; name: string }) {
  const [keyword, setKeyword] = useState('');
  const [asked, setAsked] = useState('');
  const search = useDebouncedCallback(setAsked);
  const typed = keyword.trim().slice(0, 60);
  const found = useData(querySelectOptions, { type: kind, ...(asked !== '' && { keyword: asked }) }, FRESH);
  const insurers = useData(
    queryProductOptions,
    { type: 'INSURER', ...(asked !== '' && { keyword: asked }) },
    { ...FRESH, enabled: kind === 'INSURER' },
  );
  const has = (name: string) => (found.data ?? []).some(({ label }) => label === name);
  const own = value ?? (name === '' ? null : `${NEW}${name}`);
  const options = new Map((found.data ?? []).map((option) => [option.value, option.label]));
  if (own !== null && name !== '') options.set(own, name);
  for (const { label } of insurers.data ?? []) if (!has(label) && label !== name) options.set(`${NEW}${label}`, label);
  if (kind === 'SPONSOR' && typed !== '' && !has(typed)) options.set(`${NEW}${typed}`, `新增“${typed}”`);
  return (
    <Select<string>
      {...(id !== undefined && { id })}
      className="kq-wide"
      allowClear
      value={own}
      placeholder={kind === 'INSURER' ? '输入名称查找保司' : '选择，或输入新的名称'}
      showSearch={{
        filterOption: false,
        onSearch: (text) => {
          setKeyword(text);
          search(text.trim());
        },
      }}
      options={[...options].map(([code, label]) => ({ value: code, label }))}
      notFoundContent={<NoChoices of={found} none={kind === 'INSURER' ? '没有找到保司，请先在产品后台新增' : '没有找到，请输入名称'} />}
      onChange={(next?: string) => {
        const isNew = next?.startsWith(NEW) ?? false;
        // The name first: what the field holds is judged together with it.
        onName(next === undefined ? '' : isNew ? next.slice(NEW.length) : (options.get(next) ?? ''));
        onChange?.(isNew ? null : (next ?? null));
        setKeyword('');
        search('');
      }}
    />
  );
}

/** 出资方: of which kind, and who; the platform and customers are nobody in particular. */
export function FunderFields() {
  const form = Form.useFormInstance();
  const kind: unknown = Form.useWatch('funder', form);
  const named: unknown = Form.useWatch('funderName', form);
  const name = typeof named === 'string' ? named : '';
  const onName = (next: string) => form.setFieldValue('funderName', next);
  const forget = () => form.setFieldsValue({ funderId: null, funderName: '' });
  return (
    <>
      <Field of={addCardType} name="funder">
        <Select placeholder="请选择" options={funders.options.map(({ value, label }) => ({ value, label }))} onChange={forget} />
      </Field>
      <Form.Item name="funderName" hidden>
        <input type="hidden" />
      </Form.Item>
      {kind === 'PHARMA' && (
        <Field of={addCardType} name="funderId" label="出资药企" required>
          <CompanySelect onName={onName} />
        </Field>
      )}
      {(kind === 'INSURER' || kind === 'SPONSOR') && (
        <Field of={addCardType} name="funderId" label={kind === 'INSURER' ? '出资保司' : '出资企业'} starred>
          <RegisteredSelect kind={kind} name={name} onName={onName} />
        </Field>
      )}
    </>
  );
}

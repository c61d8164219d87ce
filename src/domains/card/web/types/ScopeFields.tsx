import { Form, Select } from 'antd';
import { useState } from 'react';
import { useDebouncedAct } from '../../../../kernel/web/http/debounce.ts';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import { queryDrugSelectOptions } from '../../../pharma/contract/calls/options.ts';
import { orderTypes } from '../../contract/typeDictionaries.ts';

interface Several {
  id?: string;
  value?: readonly string[];
  onChange?(value: readonly string[]): void;
}

/** Medicines or categories, found by typing; what is chosen already keeps its name. */
function DrugsSelect({
  type,
  placeholder,
  value = [],
  onChange,
  ...rest
}: Several & { type: 'MEDICINE' | 'CATEGORY'; placeholder: string }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedAct(setKeyword);
  const found = useData(queryDrugSelectOptions, { type, limit: 30, ...(keyword !== '' && { keyword }) }, { quiet: true, fresh: 60_000 });
  const known = useData(
    queryDrugSelectOptions,
    { type, ids: [...value], limit: 50 },
    { quiet: true, fresh: 60_000, enabled: value.length > 0 },
  );
  const names = new Map([...(known.data ?? []), ...(found.data ?? [])].map((one) => [one.value, one.label]));
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      value={[...value]}
      placeholder={placeholder}
      maxTagCount="responsive"
      showSearch={{ filterOption: false, onSearch: search }}
      loading={found.fetching}
      options={[...names].map(([code, label]) => ({ value: code, label }))}
      notFoundContent={<NoChoices of={found} none="没有找到" />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** 适用范围: what is left empty limits nothing. */
export function ScopeFields() {
  return (
    <>
      <p className="kq-muted">不填表示不限。排除的药品始终不能使用。</p>
      <Form.Item label="订单类型" name={['scope', 'orderTypes']}>
        <Select
          mode="multiple"
          allowClear
          placeholder="不限"
          options={orderTypes.options.map(({ value, label }) => ({ value, label }))}
          optionFilterProp="label"
        />
      </Form.Item>
      <Form.Item label="药品" name={['scope', 'medicineIds']}>
        <DrugsSelect type="MEDICINE" placeholder="不限，输入药品名称查找" />
      </Form.Item>
      <Form.Item label="排除药品" name={['scope', 'excludeMedicineIds']}>
        <DrugsSelect type="MEDICINE" placeholder="没有，输入药品名称查找" />
      </Form.Item>
    </>
  );
}

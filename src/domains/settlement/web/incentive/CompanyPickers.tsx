import { Form } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryDrugSelectOptions } from '#domains/pharma/contract/calls/options.ts';

const FRESH = { quiet: true, fresh: 30_000 } as const;

function CatalogueSelect({ type, companyId, ...rest }: PickerProps<string> & { type: 'COMPANY' | 'LINE'; companyId?: string }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const ids = rest.value ? [rest.value] : [];
  const asked = { type, limit: 50, ...(keyword !== '' && { keyword }), ...(companyId !== undefined && { companyId }) };
  const found = useData(queryDrugSelectOptions, asked, FRESH);
  const known = useData(queryDrugSelectOptions, { type, ids, limit: 1 }, { ...FRESH, enabled: ids.length > 0 });
  const options = useFoundOptions(rest.value, found, known);
  return (
    <FoundSelect {...rest} found={found} options={options} onSearch={search} none={type === 'LINE' ? '没有找到产品线' : '没有找到药企'} />
  );
}

/** One pharma company of the catalogue. */
export const CompanyPicker = (props: PickerProps<string>) => <CatalogueSelect {...props} type="COMPANY" placeholder="输入名称查找药企" />;

/** One product line of any company. */
export const ProductLinePicker = (props: PickerProps<string>) => (
  <CatalogueSelect {...props} type="LINE" placeholder="输入名称查找产品线" />
);

/** One product line of the company that the form names. */
export function LinePicker(props: PickerProps<string>) {
  const company: unknown = Form.useWatch('pharmaCompanyId', Form.useFormInstance());
  return (
    <CatalogueSelect
      {...props}
      type="LINE"
      placeholder={typeof company === 'string' ? '输入名称查找产品线' : '请先选择药企'}
      {...(typeof company === 'string' && { companyId: company })}
    />
  );
}

import { useState } from 'react';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { Select } from 'antd';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { querySelectOptions, type optionTypes } from '../../contract/calls/cards.ts';

/** One of the domain's records, found by its name. */
const pickerOf = (type: (typeof optionTypes)[number]) =>
  function Picker({ value, onChange, ...rest }: PickerProps<string>) {
    const [keyword, setKeyword] = useState('');
    const found = useData(querySelectOptions, { type, ...(keyword && { keyword }) }, { quiet: true, fresh: 30_000 });
    const chosen = useData(querySelectOptions, { type, ids: value ? [value] : [] }, { quiet: true, fresh: 30_000 });
    const options = [...(value ? (chosen.data ?? []) : []), ...(found.data ?? [])];
    return (
      <Select
        {...rest}
        value={value}
        showSearch={{ filterOption: false, onSearch: setKeyword }}
        allowClear
        placeholder="请选择"
        loading={found.fetching}
        options={options.filter((one, at) => options.findIndex((other) => other.value === one.value) === at)}
        onChange={onChange}
      />
    );
  };
export const CardTypeFilter = pickerOf('CARD_TYPE');
export const CardBatchFilter = pickerOf('BATCH');

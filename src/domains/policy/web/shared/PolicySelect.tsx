import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useList, useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryPolicyDetail, queryPolicyList } from '../../contract/calls/policies.ts';

const reading = { fresh: 30_000, quiet: true } as const;
const nameOf = ({ policyNo, holderName, productName }: { policyNo: string; holderName: string; productName: string }) =>
  `${policyNo} ${holderName}（${productName}）`;

/** One policy that takes endorsements (`ended`: or took them), found by its whole number or by who holds it. */
export function PolicySelect({ value, onChange, ended = false, ...rest }: PickerProps<string> & { ended?: boolean }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const isNumber = /[0-9A-Za-z]{4}/.test(keyword);
  const found = useList(
    queryPolicyList,
    {
      pageSize: 30,
      ...(!ended && { state: ['PENDING', 'IN_FORCE', 'SUSPENDED'] as const }),
      ...(keyword !== '' && (isNumber ? { policyNo: keyword } : { holderName: keyword })),
    },
    reading,
  );
  const known = useData(queryPolicyDetail, { policyId: value ?? '' }, { ...reading, enabled: Boolean(value) });
  const options = useFoundOptions(
    value,
    { ...found, data: found.rows?.map((row) => ({ value: row.id, label: nameOf(row) })) },
    { data: known.data && [{ value: known.data.id, label: nameOf(known.data) }], fetching: known.fetching },
  );
  return (
    <FoundSelect
      {...rest}
      value={value}
      onChange={onChange}
      found={found}
      options={options}
      onSearch={search}
      placeholder="输入完整保单号或投保人"
    />
  );
}

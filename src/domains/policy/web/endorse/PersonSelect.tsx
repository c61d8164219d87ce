import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { queryInsuredPersonDetail, queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { relations } from '../../contract/dictionaries.ts';

interface PersonSelectProps {
  id?: string;
  policyId: string;
  /** Main insured people alone. */
  mainOnly?: boolean;
  /** How many at most. */
  most?: number;
  value?: readonly string[];
  onChange?(ids: string[]): void;
  disabled?: boolean;
  /** Names of those who were chosen before. */
  named?: readonly { id: string; name: string }[];
}

/** Insured people of a policy, found by name. */
export function PersonsSelect({ policyId, mainOnly = false, most, value = [], onChange, named = [], ...rest }: PersonSelectProps) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useList(
    queryInsuredPersonList,
    {
      policyId,
      state: ['ACTIVE', 'PENDING', 'SUSPENDED'],
      ...(mainOnly && { relation: ['SELF' as const] }),
      ...(keyword !== '' && { name: keyword }),
      pageNo: 1,
      pageSize: 20,
    },
    { quiet: true, fresh: 15_000 },
  );
  const [first] = value;
  const known = useData(queryInsuredPersonDetail, { insuredItemId: first ?? '' }, { quiet: true, enabled: first !== undefined });
  const labelled = (row: { id: string; name: string; relation: (typeof relations.codes)[number]; idNo: string | null }) => ({
    value: row.id,
    label: `${row.name}　${relations.label(row.relation)}${row.idNo ? `　${row.idNo}` : ''}`,
  });
  const chosen = [...value];
  const before = named.map(({ id, name }) => ({ value: id, label: name }));
  const options = withNameless(
    useChoices(chosen, found.rows?.map(labelled), [...before, ...(known.data ? [labelled(known.data)] : [])]).map(
      ({ value: id, label }) => ({
        value: id,
        label,
      }),
    ),
    chosen,
    found.fetching || known.fetching,
  );
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      {...(most !== undefined && { maxCount: most })}
      showSearch={{ filterOption: false, onSearch: search }}
      loading={found.fetching}
      value={chosen}
      options={[...options]}
      placeholder="输入姓名查找"
      notFoundContent={<NoChoices of={found} none="没有符合的被保人" />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** One main insured. */
export function MainSelect({
  value,
  onChange,
  ...rest
}: {
  id?: string;
  policyId: string;
  value?: string | null;
  onChange?(id: string | null): void;
}) {
  return <PersonsSelect {...rest} mainOnly most={1} value={value ? [value] : []} onChange={(ids) => onChange?.(ids.at(-1) ?? null)} />;
}

import { Select } from 'antd';
import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { KeptList } from '#kernel/web/session/storage.ts';
import { querySelectOptions } from '../../contract/calls/options.ts';

type Kind = 'DOCTOR' | 'ASSISTANT' | 'ITEM' | 'CATEGORY' | 'DISEASE';
const MOST = 50;
const FRESH = 30_000;
/** Lists of which this tab keeps the first page. */
const keptAs: Partial<Record<Kind, KeptList>> = { DOCTOR: 'doctors', CATEGORY: 'categories' };

function useRecords(type: Kind, chosen: readonly string[]) {
  const [keyword, setKeyword] = useState('');
  const onSearch = useDebouncedCallback(setKeyword);
  const found = useData(
    querySelectOptions,
    { type, limit: MOST, ...(keyword && { keyword }) },
    { fresh: FRESH, quiet: true, kept: keyword ? undefined : keptAs[type] },
  );
  const known = useData(
    querySelectOptions,
    { type, ids: chosen.slice(0, MOST), limit: MOST },
    { enabled: chosen.length > 0, fresh: FRESH, quiet: true },
  );
  const records = useChoices(chosen, found.data, known.data);
  // Doctors of one name are told apart by title and hospital.
  const options = withNameless(
    records.map(({ value, label, extra }) => ({
      value,
      label: type === 'DOCTOR' ? [label, extra['titleName'], extra['hospitalName']].filter(Boolean).join('　') : label,
    })),
    chosen,
    known.fetching || found.fetching,
  );
  return { onSearch, found, options, nameOf: (id: string) => records.find(({ value }) => value === id)?.label ?? '' };
}

interface RefProps extends PickerProps<string> {
  type: Kind;
  /** Tells the bare name of what was chosen. */
  onName?(name: string): void;
}

/** One record of the domain, found by typing. */
export function RefSelect({ type, onName, ...props }: RefProps) {
  const { onSearch, found, options, nameOf } = useRecords(type, props.value ? [props.value] : []);
  return (
    <FoundSelect
      {...props}
      found={found}
      options={options}
      onSearch={onSearch}
      onChange={(next) => {
        props.onChange?.(next);
        onName?.(next === null ? '' : nameOf(next));
      }}
    />
  );
}

interface RefsProps {
  id?: string;
  type: Kind;
  value?: readonly string[] | null;
  onChange?(value: string[]): void;
  placeholder?: string;
  max: number;
  /** Not offered: the one who hands over, for example. */
  except?: string;
}

/** Several of them. */
export function RefsSelect({ type, value, onChange, placeholder = '请选择', max, except, ...rest }: RefsProps) {
  const { onSearch, found, options } = useRecords(type, value ?? []);
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      allowClear
      maxCount={max}
      maxTagCount={12}
      showSearch={{ filterOption: false, onSearch }}
      value={[...(value ?? [])]}
      loading={found.fetching}
      placeholder={placeholder}
      options={options.filter((option) => option.value !== except)}
      notFoundContent={<NoChoices of={found} />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** A search field that finds one record by typing. */
export const refFilter = <Name extends string>(name: Name, type: Kind) =>
  ({ kind: 'picker', name, picker: (props: PickerProps<string>) => <RefSelect {...props} type={type} /> }) as const;

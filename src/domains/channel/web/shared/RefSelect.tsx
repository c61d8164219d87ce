import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useChoices, withNameless } from '#kernel/web/kit/choices.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { querySelectOptions } from '../../contract/calls/channels.ts';
import type { InputOf } from '#kernel/contract/call.ts';

type Kind = InputOf<typeof querySelectOptions>['type'];

const TYPING_MS = 300;
/** As many as one call answers by id. */
const MOST = 100;

function useKeyword() {
  const [typed, setTyped] = useState('');
  const [keyword, setKeyword] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { keyword, setTyped };
}

function useOptions(type: Kind, chosen: readonly string[], keyword: string, corpRowId?: string) {
  const found = useData(
    querySelectOptions,
    { type, ...(keyword && { keyword }), ...(corpRowId && { corpRowId }), limit: 50 },
    { quiet: true, fresh: 30_000 },
  );
  const named = useData(
    querySelectOptions,
    { type, ids: chosen.slice(0, MOST) },
    { enabled: chosen.length > 0, quiet: true, fresh: 30_000 },
  );
  const options = useChoices(chosen, found.data, named.data);
  return {
    found,
    options: withNameless(
      options.map(({ value, label, extra }) => ({
        value,
        label:
          typeof extra['diseaseName'] === 'string'
            ? `${label}（${extra['diseaseName']}）`
            : typeof extra['hospitalName'] === 'string'
              ? `${label}（${extra['hospitalName']}）`
              : label,
      })),
      chosen,
      named.fetching || found.fetching,
    ),
  };
}

interface RefSelectProps extends PickerProps<string> {
  type: Kind;
  /** Tells the name of what was chosen. */
  onName?(name: string): void;
  /** Members and tags of one company of WeChat Work only. */
  corpRowId?: string | undefined;
}

/** One record of this or another domain, found by typing. */
export function RefSelect({ type, value, onChange, onName, placeholder = '请选择', corpRowId, ...rest }: RefSelectProps) {
  const { keyword, setTyped } = useKeyword();
  const { options, found } = useOptions(type, value ? [value] : [], keyword, corpRowId);
  return (
    <FoundSelect
      {...rest}
      value={value}
      placeholder={placeholder}
      found={found}
      options={options}
      onSearch={setTyped}
      onChange={(next) => {
        onChange?.(next);
        onName?.(options.find((option) => option.value === next)?.label ?? '');
      }}
    />
  );
}

interface RefsSelectProps {
  id?: string;
  type: Kind;
  value?: readonly string[] | null | undefined;
  onChange?(value: readonly string[]): void;
  placeholder?: string;
  max?: number;
  disabled?: boolean;
  corpRowId?: string | undefined;
}

/** Several of them. */
export function RefsSelect({ type, value, onChange, placeholder = '请选择', max, corpRowId, ...rest }: RefsSelectProps) {
  const { keyword, setTyped } = useKeyword();
  const { options, found } = useOptions(type, value ?? [], keyword, corpRowId);
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="multiple"
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={[...(value ?? [])]}
      placeholder={placeholder}
      options={[...options]}
      loading={found.fetching}
      {...(max !== undefined && { maxCount: max })}
      maxTagCount={8}
      notFoundContent={<NoChoices of={found} />}
      onChange={(next) => onChange?.(next)}
    />
  );
}

import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { useChoices } from '../../../../kernel/web/kit/choices.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import { querySelectOptions } from '../../contract/calls/channels.ts';
import type { InputOf } from '../../../../kernel/contract/call.ts';

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

function useOptions(type: Kind, chosen: readonly string[], keyword: string) {
  const found = useData(querySelectOptions, { type, ...(keyword && { keyword }), limit: 50 }, { quiet: true, fresh: 30_000 });
  const named = useData(querySelectOptions, { type, ids: chosen.slice(0, MOST) }, { enabled: chosen.length > 0, quiet: true, fresh: 30_000 });
  const options = useChoices(chosen, found.data, named.data);
  return {
    found,
    options: options.map(({ value, label, extra }) => ({
      value, label: typeof extra['diseaseName'] === 'string' ? `${label}（${extra['diseaseName']}）` : typeof extra['hospitalName'] === 'string' ? `${label}（${extra['hospitalName']}）` : label,
    })),
  };
}

interface RefSelectProps {
  id?: string;
  type: Kind;
  value?: string | null | undefined;
  onChange?(value: string | null): void;
  /** Tells the name of what was chosen. */
  onName?(name: string): void;
  placeholder?: string;
  disabled?: boolean;
}

/** One record of this or another domain, found by typing. */
export function RefSelect({ type, value, onChange, onName, placeholder = '请选择', ...rest }: RefSelectProps) {
  const { keyword, setTyped } = useKeyword();
  const { options, found } = useOptions(type, value ? [value] : [], keyword);
  return (
    <Select<string>
      {...rest} className="kq-wide" allowClear showSearch={{ filterOption: false, onSearch: setTyped }} value={value ?? undefined} placeholder={placeholder} options={options} loading={found.fetching}
      notFoundContent={<NoChoices of={found} />} onChange={(next?: string) => {
        onChange?.(next ?? null);
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
}

/** Several of them. */
export function RefsSelect({ type, value, onChange, placeholder = '请选择', max, ...rest }: RefsSelectProps) {
  const { keyword, setTyped } = useKeyword();
  const { options, found } = useOptions(type, value ?? [], keyword);
  return (
    <Select<string[]>
      {...rest} className="kq-wide" mode="multiple" allowClear showSearch={{ filterOption: false, onSearch: setTyped }} value={[...(value ?? [])]} placeholder={placeholder} options={options} loading={found.fetching}
      {...(max !== undefined && { maxCount: max })} maxTagCount={8} notFoundContent={<NoChoices of={found} />} onChange={(next) => onChange?.(next)}
    />
  );
}

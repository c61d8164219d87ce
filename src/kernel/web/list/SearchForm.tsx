import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { toastError } from '../feedback/toast.ts';
import { UnreadScope, unreadFault, type Unread } from '../form/unread.ts';
import { FilterField } from './FilterField.tsx';
import type { Filter, FilterValue } from './filters.ts';
import { SavedViews } from './SavedViews.tsx';
import { useColumns } from './useColumns.ts';
import type { Views } from './useViews.ts';

interface SearchFormProps<Input> {
  filters: readonly Filter<Input>[];
  /** Values of the address. */
  values: Readonly<Record<string, FilterValue>>;
  /** Searches with these values; the address takes them over. */
  onSearch(values: Readonly<Record<string, FilterValue>>): void;
  onReset(): void;
  views?: Views;
}

const namesOf = <Input,>(filter: Filter<Input>): readonly string[] => ('names' in filter ? filter.names : [filter.name]);

/** Search fields above a list: Enter searches, filters stay in the address, views can be saved. */
export function SearchForm<Input>({ filters, values, onSearch, onReset, views }: SearchFormProps<Input>) {
  const [draft, setDraft] = useState(values);
  const [unread] = useState<Unread>(() => new Map());
  const form = useRef<HTMLFormElement>(null);
  // One line while folded: the last place is for the buttons.
  const folded = useColumns(form) - 1;
  const set = filters.filter((filter) => namesOf(filter).some((name) => values[name] !== undefined));
  const [open, setOpen] = useState(set.length > folded);
  // What somebody types stays until the values themselves change: the address and the filters are made anew more often than that.
  const written = JSON.stringify(values);
  const [taken, setTaken] = useState(written);
  if (taken !== written) {
    setTaken(written);
    setDraft(values);
  }
  // What narrows the list is seen also while the form is folded.
  const inLine = new Set([...new Set([...set, ...filters])].slice(0, folded));
  const shown = open ? filters : filters.filter((filter) => inLine.has(filter));
  const change = (patch: Record<string, FilterValue | undefined>) =>
    setDraft((current) =>
      Object.fromEntries(
        Object.entries({ ...current, ...patch }).filter((entry): entry is [string, FilterValue] => entry[1] !== undefined),
      ),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fault = unreadFault(unread);
    if (fault === null) onSearch(draft);
    else toastError(fault);
  };
  /** What was typed goes, also where the address says already what it is to say. */
  const replace = (search: () => void) => {
    setDraft(values);
    search();
  };
  return (
    <form className="kq-search" ref={form} onSubmit={submit} role="search">
      {shown.map((filter) => (
        <label key={namesOf(filter)[0]} className="kq-search-field">
          <span className="kq-search-label">{filter.label}</span>
          <UnreadScope value={unread}>
            <FilterField filter={filter as Filter<Record<string, unknown>>} values={draft} onChange={change} />
          </UnreadScope>
        </label>
      ))}
      <div className="kq-search-actions">
        {/* Never waiting: whoever knows what he looks for need not see the list before. */}
        <Button type="primary" htmlType="submit">
          查询
        </Button>
        <Button onClick={() => replace(onReset)}>重置</Button>
        {views && <SavedViews views={views} values={draft} replace={replace} />}
        {filters.length > folded && (
          <Button
            type="link"
            size="small"
            onClick={() => setOpen(!open)}
            icon={open ? <UpOutlined /> : <DownOutlined />}
            iconPlacement="end"
          >
            {open ? '收起' : '展开'}
          </Button>
        )}
      </div>
    </form>
  );
}

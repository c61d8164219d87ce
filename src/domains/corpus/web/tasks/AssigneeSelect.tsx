import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryTaskAssigneeOptions } from '../../contract/tasks/calls.ts';

/** One of those who may work on tasks. */
export function AssigneeSelect({ value, onChange, placeholder = '按姓名或工号查找', ...rest }: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryTaskAssigneeOptions, keyword ? { keyword } : {}, { quiet: true, fresh: 30_000 });
  const options = useFoundOptions(value, found, { data: undefined, fetching: false });
  return (
    <FoundSelect
      {...rest}
      value={value ?? null}
      {...(onChange && { onChange })}
      found={found}
      options={options}
      onSearch={search}
      placeholder={placeholder}
    />
  );
}

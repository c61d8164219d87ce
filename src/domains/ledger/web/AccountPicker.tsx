import { useState } from 'react';
import { useList } from '../../../kernel/web/http/queries.ts';
import { FoundSelect } from '../../../kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '../../../kernel/web/kit/pickers.tsx';
import { queryLedgerAccountList } from '../contract/calls/accounts.ts';
import type { Book } from '../contract/books.ts';

const SOME = 20;

/** An account of a book, found by its number or its owner's name; the value is its number. */
export function AccountPicker({ book, value, ...rest }: PickerProps<string> & { book: Book }) {
  const [keyword, setKeyword] = useState('');
  const found = useList(
    queryLedgerAccountList,
    { book, pageSize: SOME, status: ['OPEN', 'FROZEN'], ...(keyword && { keyword }) },
    { quiet: true },
  );
  const chosen = useList(queryLedgerAccountList, { book, pageSize: 1, accountNo: value ?? '' }, { quiet: true, enabled: Boolean(value) });
  const rows = [...(value ? (chosen.rows ?? []) : []), ...(found.rows ?? [])];
  const options = [...new Map(rows.map((row) => [row.accountNo, row])).values()].map((row) => ({
    value: row.accountNo,
    label: `${row.accountTypeLabel} ${row.ownerName} ${row.accountNo}`,
  }));
  return (
    <FoundSelect
      {...rest}
      value={value}
      found={found}
      options={options}
      onSearch={setKeyword}
      placeholder="户名或账户编号"
      none="没有符合条件的账户"
    />
  );
}

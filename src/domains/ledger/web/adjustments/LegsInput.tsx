import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { useList } from '#kernel/web/http/queries.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { queryLedgerAccountList } from '../../contract/calls/accounts.ts';
import type { AdjustmentLeg } from '../../contract/calls/adjustments.ts';
import { type Book, type Side, sides } from '../../contract/books.ts';
import { useState } from 'react';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';

const SOME = 20;

/** An account of a book, found by its number or its owner's name; the value is its number. */
function AccountPicker({ book, value, ...rest }: PickerProps<string> & { book: Book }) {
  const [keyword, setKeyword] = useState('');
  const found = useList(
    queryLedgerAccountList,
    { book, pageSize: SOME, adjustable: true, status: ['OPEN', 'FROZEN'], ...(keyword && { keyword }) },
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

/** A line while it is written. */
export type DraftLeg = { accountNo: string | null; side: Side; amountFen: number | null };

export const emptyLeg = (side: Side): DraftLeg => ({ accountNo: null, side, amountFen: null });
export const sumOf = (legs: readonly DraftLeg[], side: Side): bigint =>
  legs.filter((leg) => leg.side === side).reduce((sum, { amountFen }) => sum + BigInt(amountFen ?? 0), 0n);

/** What is wrong with the lines; null: nothing. */
export function faultOfLegs(legs: readonly DraftLeg[]): string | null {
  if (legs.some(({ accountNo }) => !accountNo)) return '请选择账户';
  if (legs.some(({ amountFen }) => amountFen === null || amountFen <= 0)) return '请输入金额';
  if (sumOf(legs, 'D') !== sumOf(legs, 'C')) return '借贷合计须相等';
  return null;
}
export const legsOf = (legs: readonly DraftLeg[]): AdjustmentLeg[] =>
  legs.map(({ accountNo, side, amountFen }) => ({ accountNo: accountNo ?? '', side, amountFen: amountFen ?? 0 }));

interface Props {
  id?: string;
  book: Book;
  value?: readonly DraftLeg[];
  onChange?(legs: readonly DraftLeg[]): void;
  disabled?: boolean;
}

/** 分录: lines of debits and credits with their running difference. */
export function LegsInput({ id, book, value = [], onChange, disabled = false }: Props) {
  const put = (at: number, patch: Partial<DraftLeg>) => onChange?.(value.map((leg, index) => (index === at ? { ...leg, ...patch } : leg)));
  const [debit, credit] = [sumOf(value, 'D'), sumOf(value, 'C')];
  return (
    <div id={id}>
      <table className="kq-ledger-t kq-ledger-legs">
        <thead>
          <tr>
            <th>账户</th>
            <th className="kq-ledger-side">方向</th>
            <th className="kq-ledger-money">金额（元）</th>
            <th className="kq-ledger-act" aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {value.map((leg, at) => (
            <tr key={at}>
              <td>
                <AccountPicker
                  book={book}
                  aria-label={`第${at + 1}行账户`}
                  value={leg.accountNo}
                  disabled={disabled}
                  onChange={(accountNo) => put(at, { accountNo })}
                />
              </td>
              <td>
                <Segmented<Side>
                  value={leg.side}
                  disabled={disabled}
                  options={sides.options.map(({ value: code, label }) => ({ value: code, label }))}
                  onChange={(side) => put(at, { side })}
                />
              </td>
              <td>
                <MoneyInput
                  aria-label={`第${at + 1}行金额`}
                  value={leg.amountFen}
                  disabled={disabled}
                  placeholder="0.00"
                  onChange={(amountFen) => put(at, { amountFen })}
                />
              </td>
              <td>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`删除第${at + 1}行`}
                  disabled={disabled || value.length <= 2}
                  onClick={() => onChange?.(value.filter((_leg, index) => index !== at))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="kq-ledger-sums">
        <Button
          size="small"
          icon={<PlusOutlined />}
          disabled={disabled || value.length >= 50}
          onClick={() => onChange?.([...value, emptyLeg(debit > credit ? 'C' : 'D')])}
        >
          添加分录
        </Button>
        <span>
          借方 <Money fen={debit} />
        </span>
        <span>
          贷方 <Money fen={credit} />
        </span>
        <span className={debit === credit ? undefined : 'kq-danger'}>
          差额 <Money fen={debit - credit} />
        </span>
      </div>
    </div>
  );
}

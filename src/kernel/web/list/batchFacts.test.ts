import { describe, expect, it } from 'vitest';
import type { Column } from '../kit/columns.ts';
import { batchFacts } from './batchFacts.ts';

interface Order {
  no: string;
  amount: string | null;
  price: number;
  open: boolean;
}
const columns: readonly Column<Order>[] = [
  { key: 'no', title: '单号' },
  { key: 'amount', title: '金额（元）', kind: 'money' },
  { key: 'price', title: '零售价', kind: 'money' },
];
const orders = (count: number): Order[] =>
  Array.from({ length: count }, (_, at) => ({ no: `P${at + 1}`, amount: String((at + 1) * 100_000), price: 5, open: at % 2 === 0 }));
const nameOf = ({ no }: Order) => no;

describe('what a question over ticked rows says', () => {
  it('leaves out what cannot be done, and its amounts', () => {
    expect(batchFacts(columns, orders(3), { nameOf, when: ({ open }) => open })).toEqual([
      { label: '条数', value: '2 条（另有 1 条当前状态不能执行，将跳过）' },
      { label: '金额合计', value: '¥4,000.00' },
      { label: '记录', value: 'P1、P3' },
    ]);
    expect(batchFacts(columns, orders(1), { nameOf, when: () => false })).toEqual([
      { label: '条数', value: '0 条（另有 1 条当前状态不能执行，将跳过）' },
    ]);
  });

  it('counts, adds up the amounts that are there and names the first five', () => {
    expect(batchFacts(columns, [...orders(6), { no: 'P7', amount: null, price: 5, open: true }], { nameOf })).toEqual([
      { label: '条数', value: '7 条' },
      { label: '金额合计', value: '¥21,000.00' },
      { label: '记录', value: 'P1、P2、P3、P4、P5等7条' },
    ]);
  });
});

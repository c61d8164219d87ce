import { expect, test } from 'vitest';
import { inputOf, readFilters } from './filters.ts';
import type { Filter } from './filters.ts';

interface Input {
  name?: string;
  state?: string[];
  never?: boolean;
  amount?: number;
  from?: string;
  to?: string;
  firstDay?: string;
  lastDay?: string;
}
const filters: readonly Filter<Input>[] = [
  { kind: 'text', name: 'name', label: '姓名' },
  { kind: 'select', name: 'state', label: '状态', several: true, options: [] },
  { kind: 'flag', name: 'never', label: '从未登录' },
  { kind: 'number', name: 'amount', label: '金额' },
  { kind: 'instants', names: ['from', 'to'], label: '时间', fallback: () => ['2026-11-21', '2026-11-21'] },
  { kind: 'days', names: ['firstDay', 'lastDay'], label: '日期' },
];

test('an empty address gives the fallbacks alone', () => {
  expect(inputOf(filters, readFilters(filters, {}))).toEqual({ from: '2026-11-20T16:00:00.000Z', to: '2026-11-21T15:59:59.999Z' });
});

test('a given half of a range replaces the whole fallback', () => {
  expect(inputOf(filters, readFilters(filters, { from: '2026-11-01' }))).toEqual({ from: '2026-10-31T16:00:00.000Z' });
});

test('each kind of filter becomes what the call takes', () => {
  const search = { name: ' 周敏 ', state: 'A', never: 'false', amount: '12', from: '2026-11-01', to: '2026-11-01', firstDay: '2026-11-02', unknown: 'x' };
  expect(inputOf(filters, readFilters(filters, search))).toEqual({
    name: '周敏',
    state: ['A'],
    never: false,
    amount: 12,
    from: '2026-10-31T16:00:00.000Z',
    to: '2026-11-01T15:59:59.999Z',
    firstDay: '2026-11-02',
  });
});

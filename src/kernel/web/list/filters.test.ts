import { expect, test } from 'vitest';
import { chosenNamesOf } from '../kit/chosenNames.ts';
import { useSession } from '../session/store.ts';
import { describeFilters, inputOf, readFilters } from './filters.ts';
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
  {
    kind: 'select',
    name: 'state',
    label: '状态',
    several: true,
    options: [
      { value: 'A', label: '在用' },
      { value: 'B', label: '停用' },
    ],
  },
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
  const search = {
    name: ' 周敏 ',
    state: 'A',
    never: 'false',
    amount: '12',
    from: '2026-11-01',
    to: '2026-11-01',
    firstDay: '2026-11-02',
    unknown: 'x',
  };
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

test('filters are told in the words of the page', () => {
  const told = (search: Record<string, string | string[]>) => describeFilters(filters, readFilters(filters, search));
  expect(told({ name: '周敏', state: ['A', 'B'], never: 'false', from: '2026-11-01', to: '2026-11-02', lastDay: '2026-11-05' })).toBe(
    '姓名：周敏；状态：在用、停用；从未登录：否；时间：2026-11-01至2026-11-02；日期：至2026-11-05',
  );
  expect(told({ state: 'A', from: '2026-11-01' })).toBe('状态：在用；时间：2026-11-01起');
});

test('what a picker chose is told by its name as soon as the picker has read it; amounts and regions as the page shows them', () => {
  const hospital: Filter<Input> = { kind: 'picker', name: 'name', label: '医院', picker: () => null };
  expect(describeFilters([hospital], { name: '1024' })).toBe('医院：编号1024');
  chosenNamesOf(hospital).set('1024', '杭州第一人民医院');
  expect(describeFilters([hospital], { name: '1024' })).toBe('医院：杭州第一人民医院');
  useSession.setState({ cityList: [{ adcode: '330000', name: '浙江省', districts: [{ adcode: '330100', name: '杭州市' }] }] });
  const facts: readonly Filter<Input>[] = [
    { kind: 'region', name: 'name', label: '地区' },
    { kind: 'money', name: 'amount', label: '实付从' },
  ];
  expect(describeFilters(facts, { name: '330100', amount: '123456' })).toBe('地区：浙江省杭州市；实付从：¥1,234.56');
  expect(describeFilters(facts, { name: '999999' })).toBe('地区：999999');
  expect(inputOf(facts, { name: '330100', amount: '123456' })).toEqual({ name: '330100', amount: 123456 });
});

test('numbers of a choice are sent as numbers and told in the words of the choice', () => {
  const options = [
    { value: '5', label: '5星' },
    { value: '4', label: '4星' },
  ];
  const some: readonly Filter<{ stars?: readonly number[]; load?: number }>[] = [
    { kind: 'numbers', name: 'stars', label: '评价', several: true, options },
    { kind: 'numbers', name: 'load', label: '负荷', options },
  ];
  expect(inputOf(some, { stars: ['5', '4'], load: '4' })).toEqual({ stars: [5, 4], load: 4 });
  expect(inputOf(some, { stars: '5' })).toEqual({ stars: [5] });
  expect(describeFilters(some, { stars: ['5', '4'] })).toBe('评价：5星、4星');
});

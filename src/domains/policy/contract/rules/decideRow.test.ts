import { describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { Slice } from './cover.ts';
import { decideRow, missingFault, type RowStand, type RowWish } from './decideRow.ts';

const END = '2026-12-31';
const slice = (from: string, to: string, planCode = 'P1'): Slice => ({ id: from, planCode, from, to, annualFen: 120_000n });
const wish = (more: Partial<RowWish> = {}): RowWish => ({
  op: 'ADD',
  planCode: 'P1',
  effectiveOn: '2026-04-11',
  leaveOn: null,
  ...more,
});
const stand = (more: Partial<RowStand> = {}): RowStand => ({
  today: '2026-04-20',
  policy: { start: '2026-01-01', end: END, versionNo: 3, maxBackdateDays: 30 },
  live: [],
  factsDiffer: false,
  annualOf: (planCode) => (planCode === 'P9' ? null : planCode === 'P8' ? { refused: '年龄76岁不在计划承保范围0-60岁' } : 120_000n),
  keepsPremium: false,
  paid: null,
  openRefs: [],
  dependants: 0,
  mobileSharers: 0,
  otherName: null,
  exclusiveProduct: null,
  ...more,
});
const outcome = (row: Partial<RowWish>, at: Partial<RowStand> = {}) => {
  const { result, errors, warnings } = decideRow(wish(row), stand(at));
  return [result, ...errors.map(({ code }) => code), ...warnings.map(({ code }) => code)];
};
const covered = { live: [slice('2026-04-11', END)] };

describe('a row of a list', () => {
  it.each<[string, Partial<RowWish>, Partial<RowStand>, string[]]>([
    ['comes in', {}, {}, ['ADD']],
    ['comes in outside the policy', { effectiveOn: '2027-01-01' }, {}, ['ERROR', 'E06']],
    ['comes in under no plan of the version', { planCode: 'P9' }, {}, ['ERROR', 'E07']],
    ['comes in too old', { planCode: 'P8' }, {}, ['ERROR', 'E08']],
    ['is covered from another day', { effectiveOn: '2026-05-01' }, covered, ['ERROR', 'E10']],
    ['is covered by a product that excludes this one', {}, { exclusiveProduct: '城市保' }, ['ERROR', 'E14']],
    ['is told too late', { effectiveOn: '2026-03-01' }, {}, ['ADD', 'W01']],
    ['is told within what is allowed', { effectiveOn: '2026-03-21' }, {}, ['ADD']],
    ['shares a number, has another name elsewhere', {}, { mobileSharers: 5, otherName: '李四' }, ['ADD', 'W02', 'W03']],
    ['stands as it says', {}, covered, ['SAME']],
    ['has another plan since', {}, { live: [slice('2026-04-11', '2026-06-30'), slice('2026-07-01', END, 'P2')] }, ['MODIFY']],
    ['has other facts', {}, { ...covered, factsDiffer: true }, ['MODIFY']],
    ['leaves', { op: 'REMOVE', leaveOn: '2026-09-15' }, covered, ['REMOVE']],
    ['left on that day', { op: 'REMOVE', leaveOn: '2026-09-15' }, { live: [slice('2026-04-11', '2026-09-15')] }, ['SAME']],
    ['leaves and never came', { op: 'REMOVE', leaveOn: '2026-09-15' }, {}, ['ERROR', 'E11']],
    [
      'leaves before a payment',
      { op: 'REMOVE', leaveOn: '2026-09-15' },
      { ...covered, paid: { day: '2026-09-16', refNo: 'CL1' } },
      ['ERROR', 'E15'],
    ],
    [
      'leaves on the day of a payment',
      { op: 'REMOVE', leaveOn: '2026-09-16' },
      { ...covered, paid: { day: '2026-09-16', refNo: 'CL1' } },
      ['REMOVE'],
    ],
    [
      'leaves dependants and a claim behind',
      { op: 'REMOVE', leaveOn: '2026-09-15' },
      { ...covered, dependants: 2, openRefs: ['CL2'] },
      ['REMOVE', 'W04', 'W05'],
    ],
    ['changes and is not there', { op: 'MODIFY' }, {}, ['ERROR', 'E11']],
    ['of a list that does not say: new', { op: null }, {}, ['ADD']],
    ['of a list that does not say: another plan', { op: null, planCode: 'P2' }, covered, ['MODIFY']],
    ['of a list that does not say: leaves', { op: null, leaveOn: '2026-09-15' }, covered, ['REMOVE']],
  ])('%s', (_name, row, at, expected) => {
    expect(outcome(row, at)).toEqual(expected);
  });

  it('applied once, says nothing more', () => {
    const { change } = decideRow(wish(), stand());
    const live = change.write.map((one) => ({ ...one, id: '1' }));
    expect(outcome({}, { live })).toEqual(['SAME']);
    expect(decideRow(wish({ op: 'REMOVE', leaveOn: plusDays('2026-04-11', -1) }), stand({ live })).change).toMatchObject({
      write: [],
      supersede: live,
    });
  });

  it('a full list that misses many is not believed', () => {
    expect([missingFault(26, 100), missingFault(20, 100), missingFault(0, 0)]).toEqual([
      '全量清单缺少26人（26%），请确认文件完整',
      null,
      null,
    ]);
  });
});

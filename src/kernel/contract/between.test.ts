import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { between, coded, ordered, rulesOf } from './between.ts';
import { declareErrors, Refusal } from './errors.ts';
import { checkAgainst } from './faults.ts';
import { field } from './field.ts';
import { faultBetween, faultOf, faultOfList } from './fieldRules.ts';
import { day, fen, instant, text } from './fields.ts';

const errors = declareErrors({
  LONG: ['SCM00001', '文字过长'],
  ENDS: ['SCM00002', '结束不能早于开始'],
  WORDS: ['SCM00003', '不能写{words}'],
});
const input = z
  .strictObject({
    id: z.string(),
    title: text('标题', 100, 1).check(coded(errors.LONG, (title) => title.length <= 5)),
    words: field(
      '内容',
      z._default(
        z.string().check(coded({ refusal: errors.WORDS, text: (all: string) => `不能写${all}` }, (all) => !all.includes('最'))),
        '',
      ),
    ),
    startOn: field('开始', z._default(z.nullable(day), null)),
    endOn: field('结束', z._default(z.nullable(day), null)),
    least: field('最低', fen),
    most: field('最高', fen),
  })
  .check(
    ordered('startOn', 'endOn', errors.ENDS),
    between(['least', 'most'], ({ least, most }) => least <= most, '最高不能小于最低'),
  );
const right = { id: '1', title: '标题', startOn: '2026-01-01', endOn: '2026-01-01', least: 1, most: 2 };

describe('a rule with a code of its own', () => {
  it('is the refusal where nothing else is wrong, the first of several such', () => {
    expect(checkAgainst(input, right)).toMatchObject({ faults: null });
    expect(checkAgainst(input, { ...right, title: '标题标题标题' })).toMatchObject({
      faults: [{ path: 'title', message: '文字过长' }],
      refusedAs: 'SCM00001',
    });
    expect(checkAgainst(input, { ...right, title: '标题标题标题', endOn: '2025-12-31' })).toMatchObject({
      faults: [{ path: 'title' }, { path: 'endOn', message: '结束不能早于开始' }],
      refusedAs: 'SCM00001',
    });
  });

  it('is one of the faults of a malformed request where something else is', () => {
    const both = checkAgainst(input, { ...right, endOn: '2025-12-31', most: 0 });
    expect(both).toMatchObject({ refusedAs: null });
    expect(both.faults?.map(({ path }) => path)).toEqual(['endOn', 'most']);
  });

  it('says what was sent', () => {
    expect(checkAgainst(input, { ...right, words: '最好' })).toMatchObject({ faults: [{ message: '不能写最好' }], refusedAs: 'SCM00003' });
    expect(new Refusal('SCM00003', '不能写最好').code).toBe('SCM00003');
  });
});

describe('a rule between fields', () => {
  it('is asked as soon as what it reads is right, whatever else is missing', () => {
    expect(rulesOf(z.optional(input))).toEqual([
      { reads: ['startOn', 'endOn'], at: 'endOn' },
      { reads: ['least', 'most'], at: 'most' },
    ]);
    const order = (values: Record<string, unknown>) => faultBetween(input, 'endOn', values);
    expect(order({ startOn: '2026-01-02', endOn: '2026-01-01' })).toBe('结束不能早于开始');
    expect(order({ startOn: '2026-01-02', endOn: '' })).toBeNull();
    expect(order({ startOn: 'soon', endOn: '2026-01-01' })).toBeNull();
    expect(order({ endOn: '2026-01-01' })).toBeNull();
    expect(faultBetween(input, 'startOn', { startOn: '2026-01-02', endOn: '2026-01-01' })).toBeNull();
    expect(faultBetween(input, 'most', { least: 2, most: 1 })).toBe('最高不能小于最低');
    expect(checkAgainst(input, { startOn: '2026-01-02', endOn: '2026-01-01' }).faults).toContainEqual({
      path: 'endOn',
      message: '结束不能早于开始',
    });
  });

  it('compares moments, not their spelling', () => {
    const times = z.strictObject({ from: instant, to: instant }).check(ordered('from', 'to', '早了', { apart: true }));
    const fault = (from: string, to: string) => faultBetween(times, 'to', { from, to });
    expect(fault('2026-01-01T08:00:00+08:00', '2026-01-01T00:00:01Z')).toBeNull();
    expect(fault('2026-01-01T08:00:00+08:00', '2026-01-01T00:00:00Z')).toBe('早了');
    expect(fault('2026-01-01T00:00:00Z', '2026-01-01T07:59:59+08:00')).toBe('早了');
  });
});

it('says of a list what is wrong with it, not with its items', () => {
  const rows = field(
    '成员',
    z.array(z.strictObject({ name: text('姓名', 5, 1) }), '请选择成员').check(z.minLength(1, '请选择成员'), z.maxLength(2, '最多2名')),
  );
  expect(faultOfList(rows, [], '成员', '选择')).toBe('请选择成员');
  expect(faultOfList(rows, [{ name: '' }], '成员', '选择')).toBeNull();
  expect(faultOfList(rows, [{ name: '甲' }, { name: '乙' }, { name: '丙' }], '成员', '选择')).toBe('最多2名');
  expect(faultOf(rows, [{ name: '' }], '成员')).toBe('请输入姓名');
});

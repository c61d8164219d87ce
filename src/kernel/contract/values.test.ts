import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dictionary } from './dictionary.ts';
import { declareErrors, refuse, refuseField } from './errors.ts';
import { id, paging, several, smallCode } from './fields.ts';
import { mask } from './masking.ts';
import { fenOf, yuan } from './money.ts';
import { stateMachine } from './stateMachine.ts';
import { dayOf, daysBetween, plusDays, showInstant, startOfDay, timeSlots } from './time.ts';
import * as z from 'zod/mini';

describe('money', () => {
  it('shows fen as yuan and reads yuan as fen, exactly and both ways', () => {
    expect([12345, 0, 5, -105, '100000000000'].map((fen) => yuan(fen))).toEqual(['123.45', '0.00', '0.05', '-1.05', '1000000000.00']);
    expect(yuan(123456789, true)).toBe('1,234,567.89');
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (fen) => fenOf(yuan(fen)) === fen));
  });

  it('refuses what is no amount', () => {
    expect(['', '1.234', '1,000', 'abc', '1e3', '--1', '.5'].map(fenOf)).toEqual(Array.from({ length: 7 }, () => null));
  });
});

describe('time', () => {
  it('counts days in Shanghai', () => {
    expect(dayOf('2026-11-20T16:00:00.000Z')).toBe('2026-11-21');
    expect(dayOf('2026-11-20T15:59:59.999Z')).toBe('2026-11-20');
    expect(startOfDay('2026-11-21', '08:30')).toBe('2026-11-21T00:30:00.000Z');
    expect(showInstant('2026-11-20T16:00:05.000Z')).toBe('2026-11-21 00:00:05');
    expect(plusDays('2028-02-28', 2)).toBe('2028-03-01');
  });

  it('adds and measures days alike', () => {
    fc.assert(fc.property(fc.integer({ min: -5000, max: 5000 }), (n) => daysBetween('2026-11-21', plusDays('2026-11-21', n)) === n));
  });

  it('has 21 slots from 08:30 to 18:30', () => {
    expect([timeSlots.length, timeSlots[0], timeSlots[1], timeSlots.at(-1)]).toEqual([21, '08:30', '09:00', '18:30']);
  });
});

describe('masking', () => {
  it.each([
    ['mobile', '13812345678', '138****5678'],
    ['idNo', '310104199001011234', '310***********1234'],
    ['bankCard', '6222021234567890', '************7890'],
    ['name', '张建国', '张**'],
    ['email', 'zhangsan@example.com', 'z***@example.com'],
  ] as const)('hides a %s', (kind, value, shown) => {
    expect(mask(kind, value)).toBe(shown);
  });

  it('never shows a short value', () => {
    for (const kind of ['mobile', 'idNo', 'bankCard', 'address'] as const) expect(mask(kind, '123456')).not.toContain('123456');
  });
});

describe('fields', () => {
  it('take ids and small codes as text and number, and nothing else', () => {
    expect([7, '7'].map((value) => id.parse(value))).toEqual(['7', '7']);
    expect(['', '0', '-1', '1.5', 'x', ' 7'].map((value) => id.safeParse(value).success)).toEqual(Array.from({ length: 6 }, () => false));
    const flag = smallCode('标签', [0, 1, 2]);
    expect([1, '1', '0'].map((value) => flag.parse(value))).toEqual([1, 1, 0]);
    expect([3, '', ' ', 'x', null].map((value) => flag.safeParse(value).success)).toEqual(Array.from({ length: 5 }, () => false));
  });

  it('give pages their defaults and bounds, and make lists of single values', () => {
    const input = z.strictObject({ ...paging, state: z.optional(several(z.string())) });
    expect(input.parse({})).toEqual({ pageNo: 1, pageSize: 10 });
    expect(input.parse({ pageNo: '2', state: 'A' })).toEqual({ pageNo: 2, pageSize: 10, state: ['A'] });
    expect(input.safeParse({ pageSize: 1000 }).error?.issues[0]?.message).toBe('每页条数最大为999');
  });
});

describe('declarations', () => {
  const errors = declareErrors({ PLAIN: ['SCM99001', '不行'], COUNTED: ['SCM99002', '仍有{n}项，请先处理{name}'] });

  it('fill the places of a refusal', () => {
    expect(refuse(errors.PLAIN)).toMatchObject({ code: 'SCM99001', message: '不行' });
    expect(refuse(errors.COUNTED, { n: 3, name: '场景' })).toMatchObject({ message: '仍有3项，请先处理场景' });
    expect(refuse(errors.PLAIN, { data: { a: 1 }, message: '另一句' })).toMatchObject({ message: '另一句', data: { a: 1 } });
    expect(refuseField('name', '请输入名称')).toMatchObject({ code: 'SCM90020', fields: [{ path: 'name', message: '请输入名称' }] });
  });

  it('offer exactly the actions that state and rights allow', () => {
    const machine = stateMachine(
      'case',
      { OPEN: { label: '待审核', tone: 'processing' }, DONE: { label: '已通过', tone: 'success' } },
      {
        approve: { label: '通过', from: ['OPEN'], to: 'DONE', permission: 'a.b.audit', opinion: 'none' },
        expire: { label: '过期', from: ['OPEN'], to: 'DONE', permission: 'system', opinion: 'none' },
        note: { label: '备注', from: ['OPEN', 'DONE'], permission: 'session', opinion: 'required' },
      },
    );
    expect(machine.allowed('OPEN', () => true)).toEqual(['approve', 'note']);
    expect(machine.allowed('OPEN', () => false)).toEqual(['note']);
    expect(machine.allowed('DONE', () => true)).toEqual(['note']);
    expect(machine.dictionary.label('OPEN')).toBe('待审核');
  });

  it('show an unknown code as it is', () => {
    const colours = dictionary('colour', { RED: { label: '红', tone: 'error' }, BLUE: '蓝' });
    expect([colours.label('RED'), colours.tone('BLUE'), colours.label('GREEN')]).toEqual(['红', 'default', 'GREEN']);
    expect(colours.schema.safeParse('GREEN').success).toBe(false);
  });
});

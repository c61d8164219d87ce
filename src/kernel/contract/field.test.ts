import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { answered } from './answered.ts';
import { dictionary } from './dictionary.ts';
import { factsOf, field, fieldFacts, shownValue } from './field.ts';
import { labelsOf } from './labels.ts';
import { emptyOf, faultOf, inputFrom, limitsOf } from './fieldRules.ts';
import { day, fen, flag, id, idOut, instant, optionalText, several, text } from './fields.ts';

const levels = dictionary('level', { A: '甲级', B: '乙级' });
const named = z.strictObject({ id: z.string(), name: z.string() });
const fields = {
  name: text('名称', 30, 1),
  note: optionalText('备注', 300),
  level: field('等级', levels.schema),
  levels: field('等级（可多选）', z.optional(several(levels.schema))),
  enabled: field('启用', flag),
  opened: field('开业日期', z._default(z.nullable(day), null)),
  at: field('时间', z.optional(instant)),
  price: field('价格', z.nullable(fen)),
  fee: field('配送费', z._default(fen.check(z.minimum(0, '配送费不能为负'), z.maximum(100, '配送费过大')), 0)),
  beds: field('床位', z.int('床位须为整数').check(z.minimum(1, '床位最少1张'), z.maximum(5000, '床位最多5000张'))),
  parent: field('上级', z._default(z.nullable(id), null)),
  people: field('人员', z.array(named), { text: (people) => people.map((person) => person.name).join('、') }),
};
const form = z.strictObject(fields);

describe('a field', () => {
  it.each([
    ['name', 'text'],
    ['note', 'text'],
    ['level', 'dict'],
    ['levels', 'dicts'],
    ['enabled', 'flag'],
    ['opened', 'day'],
    ['at', 'time'],
    ['price', 'money'],
    ['fee', 'money'],
    ['beds', 'number'],
    ['parent', 'text'],
  ])('%s is of the kind %s by its schema, through whatever wraps or narrows it', (key, kind) => {
    expect(factsOf(form, key).kind).toBe(kind);
  });

  it('keeps its label when it becomes optional, and two uses of one schema have labels of their own', () => {
    expect(fieldFacts(z.optional(fields.name))?.label).toBe('名称');
    const shared = levels.schema;
    expect([fieldFacts(field('一', shared))?.label, fieldFacts(field('二', shared))?.label, fieldFacts(shared)]).toEqual([
      '一',
      '二',
      undefined,
    ]);
    expect(labelsOf(fields).opened).toBe('开业日期');
  });

  it('says its value in words', () => {
    expect(
      shownValue(factsOf(form, 'people'), [
        { id: '1', name: '王' },
        { id: '2', name: '李' },
      ]),
    ).toBe('王、李');
    expect(shownValue(factsOf(form, 'levels'), ['A', 'B'])).toBe('甲级、乙级');
  });

  it('is found within an object of the row by its path, also of one that may be absent', () => {
    const row = z.strictObject({ request: z.nullable(z.strictObject({ id: idOut, name: fields.name })) });
    expect(factsOf(row, 'request.name').label).toBe('名称');
    expect(() => factsOf(row, 'request.id')).toThrow(/labels no field request.id/);
  });

  it('fails where somebody names a field that nobody labelled', () => {
    expect(() => factsOf(z.strictObject({ id: idOut }), 'id')).toThrow(/labels no field id/);
  });
});

describe('the rule of a field', () => {
  it.each([
    ['name', '', '请输入名称'],
    ['name', 'x'.repeat(31), '名称最多30个字符'],
    ['name', ' 医院 ', null],
    ['note', undefined, null],
    ['level', undefined, '请选择等级'],
    ['level', 'C', '等级不在可选范围内'],
    ['opened', undefined, null],
    ['opened', '2026-13-01', '开业日期格式应为YYYY-MM-DD'],
    ['price', undefined, null],
    ['beds', 0, '床位最少1张'],
    ['beds', undefined, '请输入床位'],
    ['beds', 1.5, '床位须为整数'],
    ['parent', null, null],
  ] as const)('%s of %o says %s', (key, value, said) => {
    expect(faultOf(fields[key], value, factsOf(form, key).label)).toBe(said);
  });

  it('knows what must be filled in and how long it may be', () => {
    expect([emptyOf(fields.name), emptyOf(fields.note), emptyOf(fields.price)]).toEqual([
      { required: true },
      { required: false, empty: undefined },
      { required: false, empty: null },
    ]);
    expect([limitsOf(fields.name), limitsOf(fields.note), limitsOf(fields.beds)]).toEqual([
      { maxLength: 30 },
      { maxLength: 300 },
      { least: 1, most: 5000 },
    ]);
  });

  it('makes the call’s input of a form’s values: nothing that the call does not take, emptied fields as it wants them', () => {
    const values = { name: '甲', level: 'A', enabled: true, price: undefined, beds: 3, people: [], surplus: 1, note: '' };
    expect(inputFrom(form, values)).toEqual({ name: '甲', level: 'A', enabled: true, price: null, beds: 3, people: [] });
  });
});

describe('what a call answers of what it took', () => {
  it('has the same labels, and the stored form of each value', () => {
    const output = z.strictObject(answered(fields));
    const row: z.output<typeof output> = {
      name: '甲',
      note: '',
      level: 'A',
      levels: ['A'],
      enabled: true,
      opened: null,
      at: null,
      price: 1,
      fee: 0,
      beds: 3,
      parent: '7',
      people: [],
    };
    expect(output.safeParse(row).success).toBe(true);
    expect(output.safeParse({ ...row, parent: 'x' }).success).toBe(false);
    expect(factsOf(output, 'level')).toEqual(factsOf(form, 'level'));
    expect(factsOf(output, 'opened').kind).toBe('day');
  });
});

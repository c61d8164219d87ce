import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { day, id, several, text } from '../../contract/fields.ts';
import { field } from '../../contract/field.ts';
import { checkInput } from './validate.ts';

const schema = z.strictObject({
  id,
  name: z.optional(text('名称', 32)),
  rows: field('明细', z.optional(z.array(z.strictObject({ at: field('次数', z.number()) })))),
  state: z.optional(field('状态', z.enum(['A', 'B']))),
  levels: field('等级', z.optional(several(z.enum(['A', 'B'])))),
  days: z.optional(z.array(field('日期', day)).check(z.maxLength(1))),
  any: z.optional(z.unknown()),
});

/** Faults as `path message`. */
function faultsOf(body: unknown): string[] {
  try {
    checkInput(schema, body);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.fields ?? []).map((fault) => `${fault.path} ${fault.message}`);
  }
}

it.each([
  ['a record', { id: '9223372036854775807', name: '新患者😀' }, []],
  ['an id above bigint', { id: '9223372036854775808' }, ['id 编号格式不正确']],
  ['NUL in a text', { id: 1, name: '甲\0' }, ['name 内容含有无法保存的字符，请删除后重试']],
  ['half a surrogate pair, deep', { id: 1, any: [{ a: '\ud800' }] }, ['any.0.a 内容含有无法保存的字符，请删除后重试']],
  ['NUL in a key', { id: 1, any: { 'a\0': 1 } }, ['any 内容含有无法保存的字符，请删除后重试']],
  ['no object', [], [' 请求内容须为JSON对象']],
  ['a field missing below', { id: 1, rows: [{}] }, ['rows.0.at 请填写次数']],
  ['a wrong type', { id: 1, rows: 7 }, ['rows 明细格式不正确']],
  ['nothing', {}, ['id 请填写编号']],
  ['a value that is no choice', { id: 1, state: 'C' }, ['state 状态不在可选范围内']],
  ['one of several that is no choice', { id: 1, levels: ['A', 'C'] }, ['levels.1 等级不在可选范围内']],
  ['a single one that is no choice', { id: 1, levels: 'C' }, ['levels 等级不在可选范围内']],
  ['no day, below', { id: 1, days: ['2026-02-30'] }, ['days.0 日期格式应为YYYY-MM-DD']],
  ['too many', { id: 1, days: ['2026-01-01', '2026-01-02'] }, ['days 日期最多1项']],
  ['a key that is not ours', { id: 1, foo: 1 }, ['foo 不认识的字段：foo']],
])('%s', (_, body, faults) => expect(faultsOf(body)).toEqual(faults));

import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { id, text } from '../../contract/fields.ts';
import { checkInput } from './validate.ts';

const schema = z.strictObject({
  id,
  name: z.optional(text('名称', 32)),
  rows: z.optional(z.array(z.strictObject({ at: z.number() }))),
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
  ['a field missing below', { id: 1, rows: [{}] }, ['rows.0.at 缺少字段：rows.0.at']],
  ['a wrong type', { id: 1, rows: 7 }, ['rows 字段格式不正确：rows']],
])('%s', (_, body, faults) => expect(faultsOf(body)).toEqual(faults));

import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkAgainst } from './faults.ts';
import { field } from './field.ts';

const input = z.strictObject({
  name: field('名称', z.string().check(z.minLength(1))),
  code: field('编码', z.string().check(z.minLength(2))),
});

it('an empty text is asked for by the name of its field; one that is too short is told how long it must be', () => {
  expect(checkAgainst(input, { name: '', code: 'x' }).faults).toEqual([
    { path: 'name', message: '请填写名称' },
    { path: 'code', message: '编码至少2个字符' },
  ]);
});

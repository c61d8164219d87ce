import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tellsOfOthers } from './notice.ts';

/** `code,domain,text` of every refusal of the product. */
const codes = readFileSync(new URL('../../../../docs/design/codes.csv', import.meta.url), 'utf8')
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .filter(([code]) => code)
  .map(([code = '', , ...text]) => ({ code, message: text.join(',').replaceAll(/\{\w+\}/g, '王芳') }));

/** A colleague, by name or not, and what he did to the record or is doing with it. */
const OTHERS = /(?<!请由)(?:王芳|他人|其他人)(?:修改|处理|审核|领取|接入|锁定)/;

test('every refusal that tells of a colleague stays until it is read', () => {
  const told = codes.filter(({ message }) => OTHERS.test(message));
  expect(told.length).toBeGreaterThan(6);
  expect(told.filter((refusal) => !tellsOfOthers(refusal))).toEqual([]);
});

test('what is wrong with one’s own input is said where it stands, and nothing stays', () => {
  const stays = codes.filter(tellsOfOthers).map(({ message }) => message);
  expect(stays.filter((text) => /请填写|不能为空|至少|最多|格式/.test(text))).toEqual([]);
  expect(tellsOfOthers({ code: 'SCM90020', message: '请求内容有误，请检查标出的字段' })).toBe(false);
});

import { expect, test } from 'vitest';
import { failureText, RefusalError, TransportError } from './refusal.ts';

test('a failure says what is wrong with which field, each once; what is no answer says so in Chinese', () => {
  const fault = (path: string, message: string) => ({ path, message });
  const refused = new RefusalError('SCM90020', '请求内容有误，请检查标出的字段', {
    fields: [fault('mobile', '手机号格式不正确'), fault('from', '日期不正确'), fault('to', '日期不正确')],
  });
  expect(failureText(refused)).toBe('手机号格式不正确；日期不正确');
  expect(failureText(new RefusalError('SCM90031', '当前状态不能操作'))).toBe('当前状态不能操作');
  expect(failureText(new TransportError('timeout'))).toBe('请求超时');
  expect(failureText(new TypeError('x is not a function'))).toBe('操作未完成，请稍后重试');
});

import { describe, expect, it } from 'vitest';
import { firstBroken, hasRun } from './passwordRules.ts';

const owner = { loginName: 'claim_a', opNo: 'KQ0012', mobile: '138****5678' };

describe('rules of a new password while it is typed', () => {
  it.each([
    ['Ab3$xy', '长度为10-64位'],
    [`Ab3$${'x9'.repeat(31)}`, '长度为10-64位'],
    ['onlylowerletters', '包含大写字母、小写字母、数字、符号中的至少三种'],
    ['Xx#claim_a7Q', '不包含用户名、工号或手机号'],
    ['Xx#kq0012abQ', '不包含用户名、工号或手机号'],
    ['Q#13811115678a', '不包含用户名、工号或手机号'],
    ['Bridge#1234x', '没有4个及以上相同或连续的字符'],
    ['Bri9!zcbazyx', undefined],
    ['Bri9!zdcbaq', '没有4个及以上相同或连续的字符'],
    ['桥Bridge#7315', undefined],
  ])('%s: %s', (password, broken) => {
    expect(firstBroken(password, owner)).toBe(broken);
  });

  it('does not take neighbours of different kinds for a run', () => {
    expect(hasRun('89:;')).toBe(false);
    expect(hasRun('yz{|')).toBe(false);
    expect(hasRun('aAaA')).toBe(true);
  });
});

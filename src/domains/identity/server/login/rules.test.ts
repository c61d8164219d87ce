import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { days, minutes, plusMs } from '#kernel/contract/time.ts';
import { policyDefaults } from '../../contract/policy.ts';
import { randomPassword } from '../firstRun.ts';
import { deviceLabelOf } from '../session/device.ts';
import { afterAddressFailure, afterFailure, lockedMinutes, noAttempts, type AttemptState } from './attempts.ts';
import { brokenPasswordRule } from './passwords.ts';
import { captchaImage } from './captcha.ts';

const owner = { userName: 'zhangsan', opNo: 'KQ0042', mobile: '13812345678' };
const at = (time: string) => `2026-11-21T${time}:00.000Z`;

describe('locks', () => {
  const failAt = (times: readonly string[]) =>
    times.reduce<AttemptState>((state, time) => afterFailure(state, time, policyDefaults).state, noAttempts);

  it('follow the examples of the design', () => {
    const locked = failAt(['10:00', '10:04', '10:09', '10:12', '10:14'].map(at));
    expect(locked.lockedUntil).toBe(at('10:44'));
    expect(lockedMinutes(locked, at('10:20'), policyDefaults)).toBe(24);
    expect(lockedMinutes(locked, at('10:44'), policyDefaults)).toBeNull();
    const free = failAt(['10:00', '10:04', '10:09', '10:12', '10:16'].map(at));
    expect(free).toMatchObject({ lockedUntil: null, failedAt: ['10:04', '10:09', '10:12', '10:16'].map(at) });
  });

  it('become permanent with the third of a day, not with the third of two', () => {
    const five = (from: string) => Array.from({ length: 5 }, (_, index) => plusMs(from, minutes(index)));
    const start = at('00:00');
    expect(failAt([0, 60, 120].flatMap((later) => five(plusMs(start, minutes(later))))).hardLocked).toBe(true);
    expect(failAt([0, 60, 60 * 25].flatMap((later) => five(plusMs(start, minutes(later))))).hardLocked).toBe(false);
    expect(failAt(five(plusMs(start, days(3)))).hardLocked).toBe(false);
  });

  it('make an address wait ten minutes after its twentieth failure', () => {
    const states = Array.from({ length: 20 }, (_, index) => index).reduce<AttemptState>(
      (state, second) => afterAddressFailure(state, plusMs(at('10:00'), second * 1000), 20),
      noAttempts,
    );
    expect(states.lockedUntil).toBe(plusMs(at('10:00'), 19_000 + minutes(10)));
  });
});

describe('password rules', () => {
  it.each([
    ['Ab#3kd9', '长度'],
    ['a'.repeat(65), '长度'],
    ['abcXkdwqpz', '三种'],
    ['Xx#zhangSAN9', '用户名'],
    ['Xx#kq0042-zz', '工号'],
    ['X#13812345678x', '手机号'],
    ['Kw#1234zzQ9', '连续'],
    ['Kw#dcbazzQ9', '连续'],
    ['Kw#kkkkzzQ9', '连续'],
    ['P@ssw0rd2025', '常见'],
    ['Admin!20251', '常见'],
    ['Qwerty#2027', '常见'],
  ])('refuse %s', (password, rule) => {
    expect(brokenPasswordRule(password, owner)).toContain(rule);
  });

  it('take what keeps them', () => {
    for (const password of ['Kangqiao#2026', '春天的Garden77#', 'mT9-river-lamp', 'wxy!ZA9z.kQ'])
      expect(brokenPasswordRule(password, owner)).toBeNull();
    fc.assert(fc.property(fc.integer({ min: 12, max: 24 }), (length) => brokenPasswordRule(randomPassword(length), owner) === null));
  });
});

describe('small things of a login', () => {
  it('name the device, and draw a picture without any font', () => {
    expect(
      deviceLabelOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'),
    ).toBe('Chrome 141 / Windows');
    expect(deviceLabelOf('')).toBe('');
    expect(captchaImage('K7RM')).toMatch(/^data:image\/png;base64,.{800,}/);
  });
});

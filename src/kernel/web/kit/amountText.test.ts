import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { yuan } from '../../contract/money.ts';
import { typedAmount } from './amountText.ts';
import { typedNumber } from './numberText.ts';

describe('an amount that is typed', () => {
  it.each([
    ['', { fen: null, text: '' }],
    ['12', { fen: 1200n, text: '12' }],
    ['12.', { fen: 1200n, text: '12.' }],
    ['.5', { fen: 50n, text: '.5' }],
    ['0.29', { fen: 29n, text: '0.29' }],
    ['￥1,234.50元', { fen: 123_450n, text: '1234.50' }],
    ['1 234。5', { fen: 123_450n, text: '1234.5' }],
    ['１２３４．５０', { fen: 123_450n, text: '1234.50' }],
    ['￥１，２３４。５', { fen: 123_450n, text: '1234.5' }],
    ['１２ａ', { fault: '请输入数字金额' }],
    ['12.345', { fault: '金额最多两位小数' }],
    ['12a', { fault: '请输入数字金额' }],
    ['1.2.3', { fault: '请输入数字金额' }],
    ['1e5', { fault: '请输入数字金额' }],
    ['-1', { fault: '金额不能为负数' }],
    ['1234567890123456', { fault: '金额位数过多' }],
  ])('%s', (typed, read) => {
    expect(typedAmount(typed, false)).toEqual(read);
  });

  it('may be negative where the field says so', () => {
    expect(typedAmount('-0.5', true)).toEqual({ fen: -50n, text: '-0.5' });
    expect(typedAmount('－０．５', true)).toEqual({ fen: -50n, text: '-0.5' });
    expect(typedAmount('-', true)).toEqual({ fen: null, text: '-' });
  });

  it('is read back as it is shown, to the fen', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (fen) => {
        expect(typedAmount(yuan(fen, true), false)).toEqual({ fen, text: yuan(fen) });
      }),
    );
  });
});

describe('a number that is typed', () => {
  it.each([
    ['', { value: null, text: '' }],
    ['３０', { value: 30, text: '30' }],
    ['1,234.5', { value: 1234.5, text: '1234.5' }],
    ['-4', { value: -4, text: '-4' }],
    ['12.', { value: 12, text: '12.' }],
    ['五百', { fault: '请输入数字' }],
    ['1e3', { fault: '请输入数字' }],
    ['9'.repeat(20), { fault: '数字位数过多' }],
  ])('%s', (typed, read) => expect(typedNumber(typed, {})).toEqual(read));

  it('is refused beyond its bounds and with more decimals than it takes, and never made another one', () => {
    expect(typedNumber('12.5', { precision: 0 })).toEqual({ fault: '请输入整数' });
    expect(typedNumber('0.125', { precision: 2 })).toEqual({ fault: '最多2位小数' });
    expect(typedNumber('100', { min: 1, max: 99 })).toEqual({ fault: '须为1至99' });
    expect(typedNumber('0', { min: 1 })).toEqual({ fault: '不能小于1' });
    expect(typedNumber('7', { max: 5 })).toEqual({ fault: '不能大于5' });
  });
});

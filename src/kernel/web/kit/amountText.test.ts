import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { yuan } from '../../contract/money.ts';
import { typedAmount } from './amountText.ts';

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

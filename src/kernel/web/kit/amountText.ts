import { fenOf } from '../../contract/money.ts';

/** What was typed into a field of money: an amount, nothing, or the reason why it is none. */
export type TypedAmount = { fen: bigint | null; text: string } | { fault: string };

/**
 * Reads yuan as somebody types or pastes them, digit by digit and never as a floating number: `1,234.5`, `￥12`, `12.`
 * @param negative whether a sign may stand in front
 */
export function typedAmount(typed: string, negative: boolean): TypedAmount {
  // What an input method writes full-width is the same amount.
  const text = typed
    .normalize('NFKC')
    .replaceAll(/[\s,¥元]/g, '')
    .replaceAll('。', '.')
    .replaceAll('−', '-');
  if (text === '' || (negative && text === '-')) return { fen: null, text };
  if (text.startsWith('-') && !negative) return { fault: '金额不能为负数' };
  if (!/^-?\d*\.?\d*$/.test(text)) return { fault: '请输入数字金额' };
  if (/\.\d{3,}$/.test(text)) return { fault: '金额最多两位小数' };
  if (text === '.' || text === '-.') return { fen: null, text };
  const fen = fenOf(text.replace(/^(-?)\./, '$10.').replace(/\.$/, ''));
  return fen === null ? { fault: '金额位数过多' } : { fen, text };
}

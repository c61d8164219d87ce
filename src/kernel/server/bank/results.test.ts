import { describe, expect, it } from 'vitest';
import type { BankResult } from '../../contract/bank.ts';
import { effectOf, resultFaults, type ResultLine, type SentPayout } from './results.ts';

const BATCH = 'FK20261101000001';
const payout = (lineNo: number, wish: Partial<SentPayout> = {}): SentPayout => ({
  id: String(lineNo),
  version: 1,
  batchId: '7',
  batchNo: BATCH,
  ref: `${BATCH}-${lineNo}`,
  amountFen: 500,
  sentOn: '2026-11-01',
  state: 'SENT',
  serial: null,
  day: null,
  ...wish,
});
const paid = (lineNo: number, wish: Partial<SentPayout> = {}) =>
  payout(lineNo, { state: 'SUCCESS', serial: '0102', day: '2026-11-02', ...wish });

/** The bank's line of a payment, as its file has it in row 2 and below. */
const said = (lineNo: number, result: BankResult = 'SUCCESS', wish: Partial<ResultLine> = {}): ResultLine => ({
  rowNo: 0,
  ref: `${BATCH}-${lineNo}`,
  amountFen: 500,
  result,
  ...(result === 'SUCCESS' || result === 'RETURNED' ? { serial: '0102', day: '2026-11-02' } : { serial: null, day: null }),
  failReason: result === 'FAILED' ? '账号户名不符' : null,
  ...wish,
});

/** What a file is told, as `row: sentence`; rows that are not named are taken. */
function told(known: readonly SentPayout[], ...lines: readonly ResultLine[]): string[] {
  const reading = { batchId: '7', sent: new Map(known.map((one) => [one.ref, one])), today: '2026-11-21' };
  return resultFaults(
    lines.map((line, at) => ({ ...line, rowNo: at + 2 })),
    reading,
  ).map(({ rowNo, message }) => `${rowNo}: ${message}`);
}

describe('a line of a result is told why it is not taken', () => {
  it.each<[string, readonly SentPayout[], readonly ResultLine[], readonly string[]]>([
    ['an unknown payment', [], [said(1)], [`2: 业务参考号${BATCH}-1不是本系统已出盘的付款；请向银行核实后再处理`]],
    [
      'the result of an older batch',
      [payout(1, { batchId: '6', batchNo: 'FK20261001000001' })],
      [said(1)],
      [`2: 业务参考号${BATCH}-1属于批次FK20261001000001，请在该批次中导入`],
    ],
    [
      'another sum',
      [payout(1)],
      [said(1, 'SUCCESS', { amountFen: 499 })],
      ['2: 金额与付款不一致：付款5.00元，银行4.99元；请向银行核实后再处理'],
    ],
    ['a success without the bank’s number', [payout(1)], [said(1, 'SUCCESS', { serial: null })], ['2: 成功或退票的付款须有银行流水号']],
    ['a success without its day', [payout(1)], [said(1, 'SUCCESS', { day: null })], ['2: 成功或退票的付款须有交易日期']],
    [
      'a day before the payment went out',
      [payout(1)],
      [said(1, 'SUCCESS', { day: '2025-11-02' })],
      ['2: 交易日期早于出盘日期2026-11-01，不是这笔付款的结果；请向银行核实后再处理'],
    ],
    ['a day that has not come', [payout(1)], [said(1, 'SUCCESS', { day: '2026-11-22' })], ['2: 交易日期晚于今天']],
    [
      'a payment that comes back before it went',
      [payout(1)],
      [said(1, 'RETURNED')],
      ['2: 该笔尚未登记付款成功，不能登记退票；请向银行核实后再处理'],
    ],
    ['a line twice in one file', [payout(1), payout(2)], [said(1), said(2), said(1)], ['4: 与第2行完全相同，只登记一次']],
    [
      'two outcomes of one payment in one file',
      [payout(1)],
      [said(1), said(1, 'FAILED')],
      [
        '2: 同一业务参考号在第3行是失败，本行是成功，流水号0102，2026-11-02；请向银行核实后再处理',
        '3: 同一业务参考号在第2行是成功，流水号0102，2026-11-02，本行是失败；请向银行核实后再处理',
      ],
    ],
    [
      'one payment that the bank made twice',
      [payout(1)],
      [said(1), said(1, 'SUCCESS', { serial: '0103' })],
      [
        '2: 同一业务参考号在第3行是成功，流水号0103，2026-11-02，本行是成功，流水号0102，2026-11-02；请向银行核实后再处理',
        '3: 同一业务参考号在第2行是成功，流水号0102，2026-11-02，本行是成功，流水号0103，2026-11-02；请向银行核实后再处理',
      ],
    ],
    [
      'a second payment of what succeeded before',
      [paid(1)],
      [said(1, 'SUCCESS', { serial: '0103' })],
      ['2: 该笔已登记为成功，流水号0102，2026-11-02，银行报成功，流水号0103，2026-11-02，可能重复付款；请向银行核实后再处理'],
    ],
    ['a failure of what succeeded before', [paid(1)], [said(1, 'FAILED')], ['2: 该笔已登记为成功，银行报失败；请向银行核实后再处理']],
    [
      'a success of what failed before',
      [payout(1, { state: 'FAILED' })],
      [said(1)],
      ['2: 该笔已登记为失败，银行报成功，流水号0102，2026-11-02；请向银行核实后再处理'],
    ],
    ['a payment that the bank still works on', [payout(1)], [said(1, 'PROCESSING')], ['2: 银行仍在处理，本行不登记结果']],
  ])('%s', (_, known, lines, sentences) => expect(told(known, ...lines)).toEqual(sentences));
});

describe('a line is recognised by what it is', () => {
  it('the same lines again say nothing new, whichever file they stand in', () => {
    const known = [paid(1), payout(2, { state: 'FAILED' }), payout(3)];
    expect(told(known, said(1), said(2, 'FAILED'), said(3))).toEqual([]);
    expect([said(1), said(2, 'FAILED'), said(3)].map((line, at) => effectOf(line, known[at]!))).toEqual([
      'SAYS_NOTHING_NEW',
      'SAYS_NOTHING_NEW',
      'SETTLES',
    ]);
  });

  it('two honest equal payments are two, though the bank gives a whole batch one number', () => {
    expect(told([payout(1), payout(2)], said(1), said(2))).toEqual([]);
    expect(told([paid(1), payout(2)], said(1), said(2))).toEqual([]);
    expect(effectOf(said(2), payout(2))).toBe('SETTLES');
  });

  it('a number that the bank uses again the next year is another payment, and never the proof of this one', () => {
    const lastYear = paid(9, { ref: 'FK20251101000001-1', batchId: '1', sentOn: '2025-11-01', day: '2025-11-02' });
    expect(told([lastYear, payout(1)], said(1))).toEqual([]);
    // Our own payment of last year, its number in a line of this year.
    expect(told([paid(1, { sentOn: '2025-11-01', day: '2025-11-02' })], said(1))).toEqual([
      '2: 该笔已登记为成功，流水号0102，2025-11-02，银行报成功，流水号0102，2026-11-02，可能重复付款；请向银行核实后再处理',
    ]);
  });

  it('what was found without a number by asking is the line that brings it later', () => {
    expect(told([paid(1, { serial: null })], said(1))).toEqual([]);
    expect(effectOf(said(1), paid(1))).toBe('SAYS_NOTHING_NEW');
  });

  it('a payment comes back with a number and a day of its own, in the same file or later', () => {
    const back = said(1, 'RETURNED', { serial: '0777', day: '2026-11-05' });
    expect(told([payout(1)], said(1), back)).toEqual([]);
    expect(told([paid(1)], back)).toEqual([]);
    expect(effectOf(back, paid(1))).toBe('SETTLES');
    const returned = paid(1, { state: 'RETURNED' });
    expect(told([returned], said(1), back)).toEqual([]);
    expect([said(1), back].map((line) => effectOf(line, returned))).toEqual(['SAYS_NOTHING_NEW', 'SAYS_NOTHING_NEW']);
  });
});

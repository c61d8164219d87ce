import { bankResults, type BankResult } from '../../contract/bank.ts';
import { yuan } from '../../contract/money.ts';
import type { Day } from '../../contract/time.ts';
import type { ImportColumn, ImportFault, ParsedRow } from '../importing/importer.ts';
import { codeOf, fault, textOf, textOrNull } from '../importing/rows.ts';

type ResultKey = 'ref' | 'amountFen' | 'result' | 'serial' | 'day' | 'failReason';

/** What is read of a bank's result file, under the names that the templates of banks use; nothing else of it is kept. */
export const bankResultColumns: readonly (ImportColumn & { key: ResultKey })[] = [
  { key: 'ref', label: '业务参考号', aliases: ['注释'], type: 'text', required: true, maxLength: 40, example: 'FK20261101000001-1' },
  { key: 'amountFen', label: '金额(元)', aliases: ['金额', '交易金额'], type: 'money', required: true, example: '2560.00' },
  {
    key: 'result',
    label: '处理结果',
    aliases: ['交易状态', '状态'],
    type: 'dict',
    dictionary: bankResults,
    required: true,
    example: '成功',
  },
  { key: 'serial', label: '银行流水号', aliases: ['流水号', '交易流水号'], type: 'text', maxLength: 60, example: '0102345678' },
  { key: 'day', label: '交易日期', aliases: ['日期', '记账日期'], type: 'day', example: '2026-11-02' },
  { key: 'failReason', label: '失败原因', aliases: ['原因'], type: 'text', maxLength: 200, example: '账号户名不符' },
];

/** One line of a result. What it is says which payment and which event it means; the file it came in says nothing. */
export interface ResultLine {
  rowNo: number;
  ref: string;
  amountFen: number;
  result: BankResult;
  serial: string | null;
  day: Day | null;
  failReason: string | null;
}

/** A payment that went out in a file, as the domain knows it by now. */
export interface SentPayout {
  id: string;
  version: number;
  batchId: string;
  batchNo: string;
  ref: string;
  amountFen: number;
  /** Day on which it went out. */
  sentOn: Day;
  /** SENT: the bank's answer is open, UNKNOWN ones too. */
  state: 'SENT' | 'SUCCESS' | 'FAILED' | 'RETURNED';
  /** Of the line or answer that it succeeded by. */
  serial: string | null;
  day: Day | null;
}

export const resultLineOf = (row: ParsedRow): ResultLine => ({
  rowNo: row.rowNo,
  ref: textOf(row, 'ref'),
  amountFen: Number(row.record['amountFen']),
  result: codeOf(row, 'result', bankResults),
  serial: textOrNull(row, 'serial'),
  day: textOrNull(row, 'day'),
  failReason: textOrNull(row, 'failReason'),
});

const ASK = '请向银行核实后再处理';
const yuanOf = (fen: number) => `${yuan(fen)}元`;
const named = ({ result, serial, day }: Pick<ResultLine, 'result' | 'serial' | 'day'>) =>
  [bankResults.label(result), serial && `流水号${serial}`, day].filter(Boolean).join('，');

/** The bank's number names a payment only together with our reference and the day; where one side has none it says nothing. */
const meets = (a: string | null, b: string | null) => a === null || b === null || a === b;
const isSamePayment = (a: Pick<ResultLine, 'serial' | 'day'>, b: Pick<ResultLine, 'serial' | 'day'>) =>
  meets(a.serial, b.serial) && meets(a.day, b.day);

const isSameLine = (a: ResultLine, b: ResultLine) =>
  a.amountFen === b.amountFen && a.result === b.result && a.serial === b.serial && a.day === b.day;

/** A payment may succeed and come back; every other pair of results is one too many. */
const comesBack = (earlier: ResultLine, later: ResultLine) => earlier.result === 'SUCCESS' && later.result === 'RETURNED';

/** What a line does to its payment; a line that has no fault does one of these. */
export function effectOf({ result }: Pick<ResultLine, 'result'>, { state }: Pick<SentPayout, 'state'>): 'SETTLES' | 'SAYS_NOTHING_NEW' {
  if (result === 'PROCESSING' || result === state) return 'SAYS_NOTHING_NEW';
  return state === 'RETURNED' ? 'SAYS_NOTHING_NEW' : 'SETTLES';
}

/** Why a line contradicts what is known of its payment; null: it does not. `isPaidAbove`: an earlier line says that it succeeded. */
function contradiction(line: ResultLine, sent: SentPayout, isPaidAbove: boolean): string | null {
  const { result } = line;
  const { state } = sent;
  if (result === 'PROCESSING') return null;
  if (state === 'SENT') return result === 'RETURNED' && !isPaidAbove ? `该笔尚未登记付款成功，不能登记退票；${ASK}` : null;
  if (state === 'FAILED') return result === 'FAILED' ? null : `该笔已登记为失败，银行报${named(line)}；${ASK}`;
  if (result === 'FAILED') return `该笔已登记为成功，银行报失败；${ASK}`;
  // What comes back has a number and a day of its own.
  if (result === 'RETURNED' || isSamePayment(line, sent)) return null;
  return `该笔已登记为${named({ ...sent, result: 'SUCCESS' })}，银行报${named(line)}，可能重复付款；${ASK}`;
}

/** Lines of one payment that settle it as it is known now, in their order; none where one of them contradicts what is known. */
export function settlingLines(lines: readonly ResultLine[], sent: SentPayout): readonly ResultLine[] {
  const paidAbove = (at: number) => lines.slice(0, at).some(({ result }) => result === 'SUCCESS');
  if (lines.some((line, at) => contradiction(line, sent, paidAbove(at)) !== null)) return [];
  return lines.filter((line) => effectOf(line, sent) === 'SETTLES');
}

interface Reading {
  batchId: string;
  sent: ReadonlyMap<string, SentPayout>;
  today: Day;
}

/** What is wrong with one line by itself; null: nothing. */
function ownFault(line: ResultLine, { batchId, sent, today }: Reading, isPaidAbove: boolean): ImportFault | null {
  const payout = sent.get(line.ref);
  if (!payout) return fault(line, 'ref', `业务参考号${line.ref}不是本系统已出盘的付款；${ASK}`);
  if (payout.batchId !== batchId) return fault(line, 'ref', `业务参考号${line.ref}属于批次${payout.batchNo}，请在该批次中导入`);
  if (line.amountFen !== payout.amountFen)
    return fault(line, 'amountFen', `金额与付款不一致：付款${yuanOf(payout.amountFen)}，银行${yuanOf(line.amountFen)}；${ASK}`);
  const isPaid = line.result === 'SUCCESS' || line.result === 'RETURNED';
  if (isPaid && line.serial === null) return fault(line, 'serial', '成功或退票的付款须有银行流水号');
  if (isPaid && line.day === null) return fault(line, 'day', '成功或退票的付款须有交易日期');
  if (line.day !== null && line.day < payout.sentOn)
    return fault(line, 'day', `交易日期早于出盘日期${payout.sentOn}，不是这笔付款的结果；${ASK}`);
  if (line.day !== null && line.day > today) return fault(line, 'day', '交易日期晚于今天');
  const against = contradiction(line, payout, isPaidAbove);
  return against === null ? null : fault(line, 'result', against);
}

/** Every line that is not taken, with the reason; of two that contradict none is. A payment that is still worked on is told too. */
export function resultFaults(lines: readonly ResultLine[], reading: Reading): ImportFault[] {
  const byRef = Map.groupBy(lines, ({ ref }) => ref);
  return lines.flatMap((line) => {
    const siblings = byRef.get(line.ref) ?? [];
    const above = siblings.slice(0, siblings.indexOf(line));
    const found = ownFault(
      line,
      reading,
      above.some(({ result }) => result === 'SUCCESS'),
    );
    if (found) return [found];
    const double = above.find((other) => isSameLine(other, line));
    if (double) return [fault(line, 'ref', `与第${double.rowNo}行完全相同，只登记一次`)];
    const other = siblings.find((one) => one !== line && !isSameLine(one, line) && !comesBack(one, line) && !comesBack(line, one));
    if (other) return [fault(line, 'result', `同一业务参考号在第${other.rowNo}行是${named(other)}，本行是${named(line)}；${ASK}`)];
    if (line.result !== 'PROCESSING') return [];
    return [{ ...fault(line, 'result', '银行仍在处理，本行不登记结果'), severity: 'WARN' as const }];
  });
}

import { dictionary } from '#kernel/contract/dictionary.ts';

/** Closed sets of accounts: no transfer crosses books, each sums to zero and is closed by month on its own. */
export const books = dictionary('ledger.book', { CARD: '储值账簿', DOCTOR: '医生账簿', INSURER: '保司账簿' });
export type Book = (typeof books.codes)[number];

export const sides = dictionary('ledger.side', { D: '借', C: '贷' });
export type Side = (typeof sides.codes)[number];

export const lotMoveKinds = dictionary('ledger.lotMoveKind', {
  GRANT: '入账',
  CONSUME: '消费',
  HOLD: '预占',
  UNHOLD: '释放',
  CAPTURE: '扣款',
  RESTORE: '退回',
  EXPIRE: '过期',
});
export type LotMoveKind = (typeof lotMoveKinds.codes)[number];

export const proofKinds = dictionary('ledger.proofKind', { NIGHTLY: '每日', MANUAL: '手工', CLOSE: '结账' });
export type ProofKind = (typeof proofKinds.codes)[number];

/** What a proof looks at; a finding carries its code. */
export const findingCodes = dictionary('ledger.findingCode', {
  P1: '凭证借贷相等',
  P2: '账簿借贷相等',
  P3: '账户序号连续、余额逐笔相符',
  P4: '可用余额不低于下限',
  P5: '余额与分录相符',
  P6: '额度批次与余额相符',
  P7: '预占与预占明细相符',
  P8: '冲正不超过原额',
  P9: '检查摘要相连',
  P10: '已结账期间与期间余额相符',
});
export type FindingCode = (typeof findingCodes.codes)[number];

/** Largest amount of one entry, in fen. */
export const MOST_FEN = 10_000_000_000_000n;

import { plusDays, type Day } from '#kernel/contract/time.ts';
import { daysOf } from './term.ts';

export interface RefundFacts {
  paidFen: bigint;
  refundedFen: bigint;
  startDate: Day;
  endDate: Day;
  signedOn: Day | null;
  coolingOffDays: number;
  claimPaidFen: bigint;
}
export const REFUND_RULES = ['COOLING_OFF', 'CLAIMED', 'BY_DAYS', 'FULL'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];

export interface RefundCalc {
  rule: RefundRule;
  paidFen: string;
  refundedFen: string;
  totalDays: number;
  usedDays: number;
  refundFen: string;
}

/** R5: what goes back when a contract ends with its last covered day. `askedOn`: when it was asked for. */
export function refundOf(facts: RefundFacts, terminatedOn: Day, askedOn: Day): RefundCalc {
  const { paidFen, refundedFen, startDate, endDate, signedOn, coolingOffDays, claimPaidFen } = facts;
  const totalDays = daysOf(startDate, endDate);
  const usedDays = Math.min(totalDays, daysOf(startDate, terminatedOn));
  const isCoolingOff = signedOn !== null && askedOn <= plusDays(signedOn, coolingOffDays);
  const rule: RefundRule = claimPaidFen > 0n ? 'CLAIMED' : isCoolingOff ? 'COOLING_OFF' : 'BY_DAYS';
  const due = rule === 'CLAIMED' ? 0n : rule === 'COOLING_OFF' ? paidFen : (paidFen * BigInt(totalDays - usedDays)) / BigInt(totalDays);
  const left = paidFen - refundedFen;
  const refundFen = due > left ? left : due;
  return {
    rule,
    paidFen: String(paidFen),
    refundedFen: String(refundedFen),
    totalDays,
    usedDays,
    refundFen: String(refundFen),
  };
}

import { shareOf } from '#kernel/contract/money.ts';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import type { RefundReason } from '../dictionaries.ts';

/** What a refund is computed from; amounts in fen. */
export interface RefundFacts {
  billing: 'TIME' | 'REPLIES' | 'PERIOD';
  payFen: number;
  refundedFen: number;
  replied: boolean;
  usedReplies: number;
  quotaReplies: number | null;
  /** Day on which the service began (acceptance), null while it has not. */
  startedOn: Day | null;
  periodDays: number | null;
  /** Day of the request; counts as used. */
  today: Day;
}

/** How an amount came about, kept with the refund and shown to the operator. */
export interface RefundCalc {
  rule: 'ALL' | 'NONE' | 'REPLIES' | 'PERIOD' | 'HAND' | 'LATE';
  payFen: number;
  refundedFen: number;
  /** Replies or days. */
  total: number | null;
  used: number | null;
  /** By the rule, never more than what is left. */
  proposedFen: number;
  /** Highest amount that may be asked for. */
  limitFen: number;
}

const ALWAYS_ALL: readonly RefundReason[] = ['NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE'];

const share = (payFen: number, left: number, total: number) => Number(shareOf(payFen, total, 0, Math.max(0, left)));

/** R8: what a reason gives back. A complaint is typed by hand, up to all that is left. */
export function refundOf(reason: RefundReason, facts: RefundFacts): RefundCalc {
  const leftFen = facts.payFen - facts.refundedFen;
  const calc = (
    rule: RefundCalc['rule'],
    amountFen: number,
    total: number | null = null,
    used: number | null = null,
    limitFen?: number,
  ): RefundCalc => {
    const proposedFen = Math.max(0, Math.min(amountFen, leftFen));
    return { rule, payFen: facts.payFen, refundedFen: facts.refundedFen, total, used, proposedFen, limitFen: limitFen ?? proposedFen };
  };
  if (ALWAYS_ALL.includes(reason)) return calc('ALL', leftFen);
  const byRule = ruled(facts);
  const proposed = byRule ? calc(byRule.rule, byRule.amountFen - facts.refundedFen, byRule.total, byRule.used) : calc('ALL', leftFen);
  return reason === 'COMPLAINT' ? { ...proposed, rule: 'HAND', limitFen: leftFen } : proposed;
}

/** After the first reply; null: nothing was delivered yet, so all of it comes back. */
function ruled(
  facts: RefundFacts,
): { rule: 'NONE' | 'REPLIES' | 'PERIOD'; amountFen: number; total: number | null; used: number | null } | null {
  if (!facts.replied) return null;
  if (facts.billing === 'REPLIES' && facts.quotaReplies !== null) {
    const used = Math.min(facts.usedReplies, facts.quotaReplies);
    return {
      rule: 'REPLIES',
      amountFen: share(facts.payFen, facts.quotaReplies - used, facts.quotaReplies),
      total: facts.quotaReplies,
      used,
    };
  }
  if (facts.billing === 'PERIOD' && facts.periodDays !== null) {
    const used = Math.min(facts.periodDays, facts.startedOn === null ? 1 : Math.max(1, daysBetween(facts.startedOn, facts.today) + 1));
    return { rule: 'PERIOD', amountFen: share(facts.payFen, facts.periodDays - used, facts.periodDays), total: facts.periodDays, used };
  }
  return { rule: 'NONE', amountFen: 0, total: null, used: null };
}

import { halfUp, yuan } from '#kernel/contract/money.ts';
import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';

/** What of a policy decides what days cost. */
export interface PremiumTerms {
  coverageStart: Day;
  /** Days that the annual premium stands for. */
  termDays: number;
  prorate: 'DAY' | 'MONTH';
  refundFeeBp: number;
  refundIfClaimed: boolean;
}

/**
 * How an amount follows from a rate and days. `CHARGE` new cover; `EXTEND` days behind a cover that goes on; `REFUND` the rest of a cover
 * that ends; `VOID` a cover that never was; `NONE` nothing is returned.
 */
export type PremiumBasis = 'CHARGE' | 'EXTEND' | 'REFUND' | 'VOID' | 'NONE';

/** The same day of the month, `months` later; the last day where the month is shorter. */
export function plusMonths(day: Day, months: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}

/** Whole months of the policy that end by the day before `day`. */
function monthsBefore(start: Day, day: Day): number {
  let months = Math.max(
    0,
    (Number(day.slice(0, 4)) - Number(start.slice(0, 4))) * 12 + Number(day.slice(5, 7)) - Number(start.slice(5, 7)),
  );
  while (months > 0 && plusMonths(start, months) > day) months -= 1;
  return months;
}

/** Months of the policy that have begun before `day`. */
function monthsBegun(start: Day, day: Day): number {
  const whole = monthsBefore(start, day);
  return plusMonths(start, whole) < day ? whole + 1 : whole;
}

/** Parts of the term (days or months) that lie before a day: those that ended, and those that began. */
function partsBefore(terms: PremiumTerms, day: Day): { ended: number; begun: number; all: number } {
  if (terms.prorate === 'DAY') {
    const days = daysBetween(terms.coverageStart, day);
    return { ended: days, begun: days, all: terms.termDays };
  }
  return {
    ended: monthsBefore(terms.coverageStart, day),
    begun: monthsBegun(terms.coverageStart, day),
    all: monthsBegun(terms.coverageStart, plusDays(terms.coverageStart, terms.termDays)),
  };
}

/** What the first parts of the term cost: cumulative, so that parts always add up. */
const cum = (annualFen: bigint, parts: number, all: number): bigint => halfUp(annualFen * BigInt(parts), BigInt(all));

/** What the days from `from` to `to` cost, with both of them. A month that has begun counts. */
export function chargeOf(terms: PremiumTerms, annualFen: bigint, from: Day, to: Day): bigint {
  const before = partsBefore(terms, from);
  const after = partsBefore(terms, plusDays(to, 1));
  return cum(annualFen, after.begun, after.all) - cum(annualFen, before.ended, before.all);
}

/** What the days from `from` on were paid for, where the cover before them stays: a month that has begun stays paid. */
function restOf(terms: PremiumTerms, annualFen: bigint, from: Day, to: Day): bigint {
  const before = partsBefore(terms, from);
  const after = partsBefore(terms, plusDays(to, 1));
  return cum(annualFen, after.begun, after.all) - cum(annualFen, before.begun, before.all);
}

export interface PremiumLine {
  basis: PremiumBasis;
  from: Day;
  to: Day;
  days: number;
  feeFen: bigint;
  /** Signed: what is returned is negative, the fee already taken off. */
  amountFen: bigint;
  calc: string;
}

export interface LineWish {
  basis: PremiumBasis;
  annualFen: bigint;
  from: Day;
  to: Day;
  /** What the policy keeps of a return; a change of plan keeps nothing. */
  withFee: boolean;
}

const shareText = (terms: PremiumTerms, from: Day, to: Day) =>
  terms.prorate === 'DAY' ? `${daysBetween(from, to) + 1}天 ÷ ${terms.termDays}天` : `${from}至${to}，按月`;

/** One line of a premium order: amount, fee, and how it comes about in words. */
export function lineOf(terms: PremiumTerms, { basis, annualFen, from, to, withFee }: LineWish): PremiumLine {
  const days = daysBetween(from, to) + 1;
  const facts = { basis, from, to, days };
  const annual = yuan(annualFen, true);
  const share = shareText(terms, from, to);
  switch (basis) {
    case 'NONE':
      return { ...facts, feeFen: 0n, amountFen: 0n, calc: '已发生赔付，不退费' };
    case 'CHARGE':
    case 'EXTEND': {
      const amountFen = (basis === 'CHARGE' ? chargeOf : restOf)(terms, annualFen, from, to);
      return { ...facts, feeFen: 0n, amountFen, calc: `年保费${annual}元 × ${share} = ${yuan(amountFen, true)}元` };
    }
    case 'REFUND':
    case 'VOID': {
      const rest = (basis === 'VOID' ? chargeOf : restOf)(terms, annualFen, from, to);
      const feeFen = withFee ? halfUp(rest * BigInt(terms.refundFeeBp), 10_000n) : 0n;
      const kept = feeFen > 0n ? `，扣手续费${yuan(feeFen, true)}元` : '';
      return {
        ...facts,
        feeFen,
        amountFen: feeFen - rest,
        calc: `年保费${annual}元 × ${share} = ${yuan(rest, true)}元${kept}，退${yuan(rest - feeFen, true)}元`,
      };
    }
  }
}

/** Part `no` of `of` of an amount that is paid in instalments: cumulative, so that they add up. */
export const instalmentOf = (amountFen: bigint, no: number, of: number): bigint =>
  amountFen < 0n ? -instalmentOf(-amountFen, no, of) : cum(amountFen, no, of) - cum(amountFen, no - 1, of);

export interface InstalmentPeriod {
  no: number;
  of: number;
  from: Day;
  to: Day;
}

const MONTHS_OF = { LUMP: null, YEAR: 12, QUARTER: 3, MONTH: 1 } as const;

/** Periods in which a term is paid; one for a lump sum. */
export function periodsOf(payMode: keyof typeof MONTHS_OF, coverageStart: Day, termDays: number): InstalmentPeriod[] {
  const months = MONTHS_OF[payMode];
  const end = plusDays(coverageStart, termDays - 1);
  if (months === null) return [{ no: 1, of: 1, from: coverageStart, to: end }];
  const starts: Day[] = [];
  for (let no = 0; plusMonths(coverageStart, no * months) <= end; no += 1) starts.push(plusMonths(coverageStart, no * months));
  return starts.map((from, at) => {
    const next = starts[at + 1];
    return { no: at + 1, of: starts.length, from, to: next ? plusDays(next, -1) : end };
  });
}

/** What a line must amount to, from what the order keeps of it. */
export function recomputedOf(
  terms: PremiumTerms,
  line: { basis: PremiumBasis; annualFen: bigint; from: Day; to: Day; feeFen: bigint },
  part: { no: number; of: number },
): bigint {
  const whole = lineOf(terms, { ...line, withFee: line.feeFen > 0n }).amountFen;
  return part.of === 1 ? whole : instalmentOf(whole, part.no, part.of);
}

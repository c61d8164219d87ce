import { policyYearOf } from './policyYear.ts';
import type { AdjudicationInput } from './input.ts';
import { accumulatorKey, groupKey, keyAt } from './keys.ts';
import type { Move } from './result.ts';
import type { BenefitSpec, CapsSpec, GroupSpec, PlanSpec, VersionSpec } from './spec.ts';

export type Period = 'CLAIM' | 'YEAR' | 'LIFE';

/** A limit with what is left of it; all lines of a claim draw on the same. */
export interface Accumulator {
  key: string;
  subjectId: string;
  period: string;
  limit: number | null;
}

/** Balances of a claim while its lines are worked off: what other claims used, and what this one used so far. */
export class Accumulators {
  readonly #balances: Readonly<Record<string, number>>;
  readonly #used = new Map<string, { of: Accumulator; delta: number; days: readonly string[] }>();
  readonly #counted: Readonly<Record<string, readonly string[]>>;

  /** @param counted service days that the accounts of numbers of times hold already */
  constructor(balances: Readonly<Record<string, number>>, counted: Readonly<Record<string, readonly string[]>> = {}) {
    this.#balances = balances;
    this.#counted = counted;
  }

  used({ key }: Accumulator): number {
    return (this.#balances[key] ?? 0) + (this.#used.get(key)?.delta ?? 0);
  }

  /** What this claim alone used. */
  own({ key }: Accumulator): number {
    return this.#used.get(key)?.delta ?? 0;
  }

  left(of: Accumulator): number {
    return of.limit === null ? Number.MAX_SAFE_INTEGER : Math.max(0, of.limit - this.used(of));
  }

  add(of: Accumulator, delta: number): void {
    if (delta === 0) return;
    this.#used.set(of.key, { of, delta: this.own(of) + delta, days: this.#used.get(of.key)?.days ?? [] });
  }

  /** Whether a service day is among the times of an account, by another claim or by this one. */
  hasDay({ key }: Accumulator, day: string): boolean {
    return (this.#counted[key] ?? []).includes(day) || (this.#used.get(key)?.days ?? []).includes(day);
  }

  /** A service day counts once, however many lines and claims it has. */
  addDay(of: Accumulator, day: string): void {
    if (this.hasDay(of, day)) return;
    this.#used.set(of.key, { of, delta: this.own(of) + 1, days: [...(this.#used.get(of.key)?.days ?? []), day] });
  }

  /** For a trial that leaves this one as it is. */
  copy(): Accumulators {
    const made = new Accumulators(this.#balances, this.#counted);
    for (const [key, value] of this.#used) made.#used.set(key, value);
    return made;
  }

  /** What accounts take over, in the order of their keys; running values of this claim have no account. */
  moves(): Move[] {
    return [...this.#used.values()]
      .filter(({ of }) => of.period !== 'CLAIM')
      .map(({ of: { key, subjectId, period }, delta, days }) => ({ key, subjectId, period, delta, ...(days.length > 0 && { days }) }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  }

  /** What other claims and this one used together, running values of the claim too: where a rider begins. */
  totals(): Record<string, number> {
    return { ...this.#balances, ...Object.fromEntries([...this.#used.values()].map(({ of }) => [of.key, this.used(of)])) };
  }
}

/** The limits that a line draws on. */
export interface LineLimits {
  deductible: Accumulator | null;
  ladder: Accumulator;
  itemYear: Accumulator | null;
  claim: Accumulator | null;
  paid: Accumulator;
  lifetime: Accumulator | null;
  groups: { group: GroupSpec; of: Accumulator }[];
  sum: Accumulator | null;
  times: Accumulator | null;
}

/** Two groups of a rider may be one purse of its main product: what a line takes of it is taken once. */
const apart = (groups: LineLimits['groups']): LineLimits['groups'] => [...new Map(groups.map((one) => [one.of.key, one])).values()];

export const capsOf = (plan: PlanSpec | null, benefit: BenefitSpec): CapsSpec => ({ ...benefit.caps, ...plan?.caps[benefit.benefitCode] });

export function limitsOf(
  { productId, groups }: VersionSpec,
  { cover }: AdjudicationInput,
  plan: PlanSpec | null,
  benefit: BenefitSpec,
  { medicineId, serviceDate }: { medicineId: string; serviceDate: string },
): LineLimits {
  const year = policyYearOf(cover.coverageStart, serviceDate);
  const periodOf = (period: Period) => (period === 'YEAR' ? year : period);
  const make = (name: string, period: Period, limit: number | null, subjectId = cover.personId): Accumulator => ({
    key: keyAt(name, periodOf(period)),
    subjectId,
    period: periodOf(period),
    limit,
  });
  const ofGroup = (group: GroupSpec): Accumulator =>
    make(
      groupKey(group, productId),
      group.period,
      plan?.groupAmounts[group.groupCode] ?? group.amountFen,
      group.subject === 'FAMILY' ? (cover.familySubjectId ?? cover.personId) : cover.personId,
    );
  const caps = capsOf(plan, benefit);
  const { benefitCode } = benefit;
  const paid = accumulatorKey('PAY', productId, benefitCode);
  const where = <T>(limit: number | null, of: (limit: number) => T): T | null => (limit === null ? null : of(limit));
  const deductible = groups.find(({ groupCode }) => groupCode === benefit.deductibleGroup);
  return {
    deductible: deductible ? ofGroup(deductible) : null,
    ladder: make(accumulatorKey('LAD', productId, benefitCode), 'YEAR', null),
    itemYear: where(caps.perItemYearFen, (limit) => make(accumulatorKey('ITEM', productId, benefitCode, medicineId), 'YEAR', limit)),
    claim: where(caps.perClaimFen, (limit) => make(paid, 'CLAIM', limit)),
    paid: make(paid, 'YEAR', caps.perYearFen),
    lifetime: where(caps.lifetimeFen, (limit) => make(paid, 'LIFE', limit)),
    groups: apart(
      benefit.ceilingGroups.flatMap((code) => {
        const group = groups.find(({ groupCode }) => groupCode === code);
        return group ? [{ group, of: ofGroup(group) }] : [];
      }),
    ),
    sum: where(plan?.sumInsuredFen ?? null, (limit) => make(accumulatorKey('SUM', productId, plan!.planCode), 'YEAR', limit)),
    times: where(caps.timesPerYear, (limit) => make(accumulatorKey('CNT', productId, benefitCode), 'YEAR', limit)),
  };
}

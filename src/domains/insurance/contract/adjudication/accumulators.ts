import { policyYearOf } from './policyYear.ts';
import type { AdjudicationInput } from './input.ts';
import type { Move } from './result.ts';
import type { BenefitSpec, CapsSpec, GroupSpec, PlanSpec } from './spec.ts';

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
  readonly #used = new Map<string, { of: Accumulator; delta: number }>();

  constructor(balances: Readonly<Record<string, number>>) {
    this.#balances = balances;
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
    this.#used.set(of.key, { of, delta: this.own(of) + delta });
  }

  /** For a trial that leaves this one as it is. */
  copy(): Accumulators {
    const made = new Accumulators(this.#balances);
    for (const [key, value] of this.#used) made.#used.set(key, value);
    return made;
  }

  /** What accounts take over, in the order of their keys; running values of this claim have no account. */
  moves(): Move[] {
    return [...this.#used.values()]
      .filter(({ of }) => of.period !== 'CLAIM')
      .map(({ of: { key, subjectId, period }, delta }) => ({ key, subjectId, period, delta }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
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

export const capsOf = (plan: PlanSpec | null, benefit: BenefitSpec): CapsSpec => ({ ...benefit.caps, ...plan?.caps[benefit.benefitCode] });

export function limitsOf(
  { cover }: AdjudicationInput,
  plan: PlanSpec | null,
  benefit: BenefitSpec,
  groups: readonly GroupSpec[],
  { medicineId, serviceDate }: { medicineId: string; serviceDate: string },
): LineLimits {
  const year = policyYearOf(cover.coverageStart, serviceDate);
  const periodOf = (period: Period) => (period === 'YEAR' ? year : period);
  const make = (name: string, period: Period, limit: number | null, subjectId = cover.personId): Accumulator => ({
    key: `${name}@${periodOf(period)}`,
    subjectId,
    period: periodOf(period),
    limit,
  });
  const ofGroup = (group: GroupSpec): Accumulator =>
    make(
      `${group.kind === 'DEDUCTIBLE' ? 'DED' : 'GRP'}:${group.groupCode}`,
      group.period,
      plan?.groupAmounts[group.groupCode] ?? group.amountFen,
      group.subject === 'FAMILY' ? (cover.familySubjectId ?? cover.personId) : cover.personId,
    );
  const caps = capsOf(plan, benefit);
  const { benefitCode } = benefit;
  const where = <T>(limit: number | null, of: (limit: number) => T): T | null => (limit === null ? null : of(limit));
  const deductible = groups.find(({ groupCode }) => groupCode === benefit.deductibleGroup);
  return {
    deductible: deductible ? ofGroup(deductible) : null,
    ladder: make(`LAD:${benefitCode}`, 'YEAR', null),
    itemYear: where(caps.perItemYearFen, (limit) => make(`ITEM:${benefitCode}:${medicineId}`, 'YEAR', limit)),
    claim: where(caps.perClaimFen, (limit) => make(`PAY:${benefitCode}`, 'CLAIM', limit)),
    paid: make(`PAY:${benefitCode}`, 'YEAR', caps.perYearFen),
    lifetime: where(caps.lifetimeFen, (limit) => make(`PAY:${benefitCode}`, 'LIFE', limit)),
    groups: benefit.ceilingGroups.flatMap((code) => {
      const group = groups.find(({ groupCode }) => groupCode === code);
      return group ? [{ group, of: ofGroup(group) }] : [];
    }),
    sum: where(plan?.sumInsuredFen ?? null, (limit) => make(`SUM:${plan!.planCode}`, 'YEAR', limit)),
    times: where(caps.timesPerYear, (limit) => make(`CNT:${benefitCode}`, 'YEAR', limit)),
  };
}

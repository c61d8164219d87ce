import type { ShareGroups } from '../links/shareGroups.ts';
import { spreadOver } from './adjudicate.ts';
import type { AdjudicationInput } from './input.ts';
import type { AdjudicationResult } from './result.ts';
import type { VersionSpec } from './spec.ts';

/**
 * A rider's version whose shared groups are the main product's purses: they bear its codes, amounts and so its keys, and what the main
 * run took of them is gone.
 */
export function withSharedGroups(rider: VersionSpec, main: VersionSpec, shared: ShareGroups, mainPlanCode: string): VersionSpec {
  if (shared.length === 0) return rider;
  const codeOf = new Map(shared.map(({ mainGroup, otherGroup }) => [otherGroup, mainGroup]));
  const named = (code: string) => codeOf.get(code) ?? code;
  const plan = main.plans.find(({ planCode }) => planCode === mainPlanCode);
  const purses = new Map(
    main.groups.map((group) => [group.groupCode, { ...group, amountFen: plan?.groupAmounts[group.groupCode] ?? group.amountFen }]),
  );
  return {
    ...rider,
    groups: rider.groups.map((group) => {
      const purse = codeOf.has(group.groupCode) ? purses.get(named(group.groupCode)) : undefined;
      return purse ?? group;
    }),
    benefits: rider.benefits.map((benefit) => ({
      ...benefit,
      deductibleGroup: benefit.deductibleGroup === null ? null : named(benefit.deductibleGroup),
      ceilingGroups: benefit.ceilingGroups.map(named),
    })),
    // What the rider's plan sets for a group that is now the main product's does not count any more.
    plans: rider.plans.map((one) => ({
      ...one,
      groupAmounts: Object.fromEntries(Object.entries(one.groupAmounts).filter(([code]) => !codeOf.has(code))),
    })),
  };
}

/** What is handed to the rider after the main run: each line with what the main product pays on top of what others paid. */
export function riderInput(input: AdjudicationInput, main: AdjudicationResult, planCode: string): AdjudicationInput {
  const others = spreadOver(input.lines, ({ otherPaidFen }) => otherPaidFen, input.claim.otherPaidFen);
  const paid = new Map(main.lines.map(({ lineNo, payableFen }) => [lineNo, payableFen]));
  const balances: Record<string, number> = { ...input.balances };
  for (const { key, delta } of main.moves) balances[key] = (balances[key] ?? 0) + delta;
  return {
    ...input,
    claim: { ...input.claim, otherPaidFen: null },
    cover: { ...input.cover, planCode },
    lines: input.lines.map((line) => ({
      ...line,
      otherPaidFen: (others.get(line.lineNo) ?? 0) + (paid.get(line.lineNo) ?? 0),
    })),
    balances,
  };
}

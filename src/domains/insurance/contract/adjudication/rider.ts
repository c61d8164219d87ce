import type { ShareGroups } from '../links/shareGroups.ts';
import { spreadOver, type Adjudicated } from './adjudicate.ts';
import type { AdjudicationInput } from './input.ts';
import type { VersionSpec } from './spec.ts';

/**
 * A rider's version whose shared groups are the main product's purses: they keep the rider's codes, and bear amounts and accounts of the
 * main product. Every other account is the rider's own, whatever codes the two products have in common.
 */
export function withSharedGroups(rider: VersionSpec, main: VersionSpec, shared: ShareGroups, mainPlanCode: string): VersionSpec {
  const plan = main.plans.find(({ planCode }) => planCode === mainPlanCode);
  const purses = new Map(
    shared.flatMap(({ mainGroup, otherGroup }) => {
      const purse = main.groups.find(({ groupCode }) => groupCode === mainGroup);
      return purse ? [[otherGroup, { ...purse, amountFen: plan?.groupAmounts[mainGroup] ?? purse.amountFen }] as const] : [];
    }),
  );
  return {
    ...rider,
    groups: rider.groups.map((group) => {
      const purse = purses.get(group.groupCode);
      return purse ? { ...purse, groupCode: group.groupCode, account: { productId: main.productId, groupCode: purse.groupCode } } : group;
    }),
    // What the rider's plan sets for a group that is now the main product's does not count any more.
    plans: rider.plans.map((one) => ({
      ...one,
      groupAmounts: Object.fromEntries(Object.entries(one.groupAmounts).filter(([code]) => !purses.has(code))),
    })),
  };
}

/** What is handed to the rider after the main run: each line with what the main product pays on top of what others paid. */
export function riderInput(input: AdjudicationInput, { result: main, totals: balances }: Adjudicated, planCode: string): AdjudicationInput {
  const others = spreadOver(input.lines, ({ otherPaidFen }) => otherPaidFen, input.claim.otherPaidFen);
  const paid = new Map(main.lines.map(({ lineNo, payableFen }) => [lineNo, payableFen]));
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

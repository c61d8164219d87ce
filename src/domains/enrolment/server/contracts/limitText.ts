import { yuan } from '#kernel/contract/money.ts';
import type { listLimits } from '#domains/insurance/server/index.ts';

type NamedLimit = Awaited<ReturnType<typeof listLimits>>[number];

/** A limit of the pinned version as people read it. */
export const limitText = ({ label, unit, limitAmount }: NamedLimit) => ({
  name: label,
  amount: unit === 'FEN' ? `${yuan(limitAmount, true)}元` : `${limitAmount}次`,
});

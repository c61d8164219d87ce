import type { Tx, Db } from '#kernel/server/context.ts';
import type { AppliedRule } from '../../contract/rules/allocation.ts';
import type { OrderRecord } from '../orders/access.ts';

/** Whoever can bring an order does, the supplier of the lower number first; up to three together. */
const FALLBACK: AppliedRule = {
  ruleCode: null,
  ruleVersion: null,
  strategy: 'PRIORITY',
  candidates: null,
  allowSplit: true,
  maxSplit: 3,
};
/** A person fetches it in one store, which has all of it or not. */
const OF_STORE: AppliedRule = { ...FALLBACK, strategy: 'FIXED', allowSplit: false, maxSplit: 1 };

/** The rule by which an order is given to suppliers. */
export const ruleFor = (_db: Db | Tx, { orderType }: OrderRecord): Promise<AppliedRule> =>
  Promise.resolve(orderType === 'PICKUP' ? OF_STORE : FALLBACK);

import { sql, type RawBuilder } from 'kysely';
import { passedStates, waitingStates, type PremiumState } from '../../contract/premiumStates.ts';

/*
 * What counts as premium, said once for lists, their totals and sheets, the policy's page and the query table. All of it reads orders
 * as `o`: those that were passed are due, those that nobody passed yet wait, what was given up or reversed is neither.
 */
const among = (states: readonly PremiumState[]) => sql<boolean>`o.state in (${sql.join(states.map((state) => sql.lit(state)))})`;
export const isDue = among(passedStates);
export const isWaiting = among(waitingStates);

/** What is collected, less what is returned. */
export const signed = (amount: string): RawBuilder<string> =>
  sql`case o.direction when 'COLLECT' then ${sql.ref(amount)} else -${sql.ref(amount)} end`;

const sum = (amount: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
  sql<string>`coalesce(sum(${amount}) filter (where ${which}), 0)::text`;
export const premiumSums = {
  /** 应收 */
  collectFen: sum(sql.ref('o.amountFen'), sql`o.direction = 'COLLECT' and ${isDue}`),
  /** 应退 */
  refundFen: sum(sql.ref('o.amountFen'), sql`o.direction = 'REFUND' and ${isDue}`),
  /** 应收保费: 应收 less 应退 */
  premiumFen: sum(signed('o.amountFen'), isDue),
  /** 待审保费 */
  waitingFen: sum(signed('o.amountFen'), isWaiting),
  /** 已收保费: money that came less what went back; it stands on passed orders alone */
  receivedFen: sum(signed('o.settledFen'), isDue),
} as const;

/** One of the sums over the orders of the policy `p`. */
export const ofPolicyRow = (which: keyof typeof premiumSums): RawBuilder<string> =>
  sql<string>`(select ${premiumSums[which]} from policy_premium_order o where o.policy_id = p.id)`;

import { explainGroup } from '#kernel/contract/rules/groups.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx, Db } from '#kernel/server/context.ts';
import type { AppliedRule } from '../../contract/rules/allocation.ts';
import { own } from '../database.ts';
import type { OrderRecord } from '../orders/access.ts';
import { candidatesOf } from '../rules/candidates.ts';
import { conditionOf } from '../rules/content.ts';
import { factsOf } from '../rules/facts.ts';

/** A person fetches it in one store, which has all of it or not. */
const OF_STORE: AppliedRule = {
  ruleCode: null,
  ruleVersion: null,
  strategy: 'FIXED',
  candidates: null,
  allowSplit: false,
  maxSplit: 1,
};

/** The rule by which an order is given to suppliers: the first in force whose condition holds (R4). The last of them holds for all. */
export async function ruleFor(db: Db | Tx, order: OrderRecord, today: Day): Promise<AppliedRule> {
  if (order.orderType === 'PICKUP') return OF_STORE;
  const rules = await own(db)
    .selectFrom('orderRule')
    .selectAll()
    .where('kind', '=', 'ALLOCATION')
    .where('state', '=', 'EFFECTIVE')
    .where('effectiveFrom', '<=', today)
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', today)]))
    .orderBy('priority')
    .orderBy('id')
    .execute();
  const facts = rules.some(({ condition }) => condition !== null) ? await factsOf(db, order) : {};
  const rule = rules.find(({ condition }) => {
    const group = conditionOf(condition);
    return group === null || explainGroup(group, facts).truth === 'TRUE';
  });
  if (!rule) throw new Error('the last allocation rule is missing');
  return {
    ruleCode: rule.ruleCode,
    ruleVersion: rule.ruleVersion,
    strategy: rule.strategy!,
    candidates: candidatesOf(rule),
    allowSplit: rule.allowSplit!,
    maxSplit: rule.maxSplit!,
  };
}

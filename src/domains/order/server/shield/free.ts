import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ShieldScope } from '../../contract/dictionaries.ts';
import { orderErrors } from '../../contract/errors.ts';

/** What an enabled row hides: goods for each value of its scope, on days. */
export interface Hiding {
  goodsCode: string;
  scope: ShieldScope;
  scopeValues: readonly string[];
  effectiveFrom: Day;
  effectiveTo: Day | null;
}

/** Values as the table of what is hidden keeps them. */
const keptValues = ({ scope, scopeValues }: Pick<Hiding, 'scope' | 'scopeValues'>): readonly string[] =>
  scope === 'ALL' ? ['*'] : scopeValues;

/** Whether two rows hide the same goods for the same value on a day. */
export const overlap = (a: Hiding, b: Hiding): boolean =>
  a.goodsCode === b.goodsCode &&
  a.scope === b.scope &&
  keptValues(a).some((value) => keptValues(b).includes(value)) &&
  (a.effectiveTo === null || b.effectiveFrom <= a.effectiveTo) &&
  (b.effectiveTo === null || a.effectiveFrom <= b.effectiveTo);

/** Enabled rows of some goods, as they hide. */
async function hidingOf(db: Db | Tx, goodsCodes: readonly string[]): Promise<(Hiding & { id: string })[]> {
  const { rows } = await sql<Hiding & { id: string }>`
    select id, goods_code, scope, scope_values, effective_from, effective_to
      from order_shield
      where enabled and goods_code = any(${[...new Set(goodsCodes)]}::text[])`.execute(db);
  return rows;
}

/**
 * Makes writers of the same goods wait for each other, and refuses what an enabled row hides already; the exclusion constraint behind it
 * holds whatever comes another way.
 * @param except the row that is changed
 * @throws Refusal SCM16070
 */
export async function requireFree(tx: Tx, wanted: readonly Hiding[], except?: string): Promise<void> {
  const codes = wanted.map(({ goodsCode }) => goodsCode);
  await lockKeys(tx, 'order.shield', codes);
  const there = await hidingOf(tx, codes);
  if (wanted.some((one) => there.some((other) => other.id !== except && overlap(one, other)))) throw refuse(orderErrors.SHIELD_TAKEN);
}

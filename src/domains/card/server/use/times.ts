import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

export type TimesKind = 'GRANT' | 'HOLD' | 'UNHOLD' | 'USE' | 'UNDO' | 'EXPIRE' | 'VOID';

export interface TimesStep {
  cardId: string;
  /** `COUPON` for coupons. */
  benefitId: string;
  kind: TimesKind;
  left: number;
  held: number;
  /** One effect, however often it is sent. */
  key: string;
  refType: string;
  refId: string;
}

/**
 * Moves the times of a card: the step is kept for good, the balance follows it under its checks.
 * @returns false where the same step was taken before
 */
export async function moveTimes(tx: Tx, now: Instant, step: TimesStep): Promise<boolean> {
  const { rows } = await sql`
    insert into card_times_move (card_id, benefit_id, kind, delta_left, delta_held, key, ref_type, ref_id, at)
    values (
      ${step.cardId}, ${step.benefitId}, ${step.kind}, ${step.left}, ${step.held}, ${step.key}, ${step.refType}, ${step.refId},
      ${now}::timestamptz
    )
    on conflict (key) do nothing returning id`.execute(tx);
  if (rows.length === 0) return false;
  // Not as one upsert: the row that would be inserted must stand the checks too, and a step alone does not.
  const { numAffectedRows } = await sql`
    update card_times_balance set left_times = left_times + ${step.left}, held_times = held_times + ${step.held}, version = version + 1
     where card_id = ${step.cardId} and benefit_id = ${step.benefitId}`.execute(tx);
  if (numAffectedRows === 0n)
    await sql`
      insert into card_times_balance (card_id, benefit_id, left_times, held_times, version)
      values (${step.cardId}, ${step.benefitId}, ${step.left}, ${step.held}, 1)`.execute(tx);
  return true;
}

import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import { bonusOf, principalOf } from '../chart.ts';

/** What a card's row says of its money is what the books say; it is used up without any, and lives again with some. */
export async function refreshCard(tx: Tx, ledger: Ledger, cardId: string, now: Instant): Promise<void> {
  const found = await ledger.balancesIfAny(tx, [principalOf(cardId), bonusOf(cardId)], now);
  const [principal, bonus] = found.map((one) => one?.available ?? 0n);
  const held = found.reduce((sum, one) => sum + (one?.held ?? 0n), 0n);
  await sql`
    with spent as (select coalesce(sum(amount - reversed_amount), 0) as fen from card_write_off where card_id = ${cardId}),
    times as (select coalesce(sum(left_times), 0) as n from card_times_balance where card_id = ${cardId}) update card_card c
    set principal_avail = ${String(principal ?? 0n)}, bonus_avail = ${String(bonus ?? 0n)}, held_amount = ${String(held)},
      spent_amount = spent.fen,
      state = case
        when c.state = 'ACTIVE' and ${String((principal ?? 0n) + (bonus ?? 0n) + held)} + times.n = 0 then 'DEPLETED'
        when c.state = 'DEPLETED' and ${String((principal ?? 0n) + (bonus ?? 0n) + held)} + times.n > 0 then 'ACTIVE'
        else c.state
      end,
      version = c.version + 1
    from spent, times
    where c.id = ${cardId}`.execute(tx);
}

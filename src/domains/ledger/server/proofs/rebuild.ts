import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';

/** 重建余额投影: the balances of an account from its entries and holds; the way back from a P5 finding. */
export async function rebuildBalance(tx: Tx, accountId: string): Promise<void> {
  await sql`select from ledger_balance where account_id = ${accountId} order by stripe for update`.execute(tx);
  // The first row takes all, the others begin again: the sums of an open account are what counts.
  await sql`
    update ledger_balance b
      set debit_total_fen = case b.stripe when 0 then s.debit else 0 end, credit_total_fen = case b.stripe when 0 then s.credit else 0 end,
        held_fen = case b.stripe when 0 then s.held else 0 end, last_entry_seq = coalesce(s.seq, 0)
      from (
        select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit,
            coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit, max(e.account_seq) as seq,
            (
              select coalesce(sum(g.amount_fen - g.captured_fen - g.released_fen), 0)
                from ledger_hold_leg g
                join ledger_hold h on h.id = g.hold_id
                where g.account_id = ${accountId} and h.status = 'PENDING'
            ) as held
          from ledger_entry e
          where e.account_id = ${accountId}
      ) s
      where b.account_id = ${accountId}`.execute(tx);
}

/** The same of an account's lots: each from its moves. */
export async function rebuildLots(tx: Tx, accountId: string): Promise<void> {
  await sql`select from ledger_lot where account_id = ${accountId} order by id for update`.execute(tx);
  await sql`
    update ledger_lot l set remaining_fen = s.remaining, held_fen = s.held
      from (select m.lot_id, sum(m.delta_remaining_fen)::bigint as remaining, sum(m.delta_held_fen)::bigint as held
              from ledger_lot_move m join ledger_lot x on x.id = m.lot_id where x.account_id = ${accountId} group by m.lot_id) s
     where l.id = s.lot_id and (l.remaining_fen <> s.remaining or l.held_fen <> s.held)`.execute(tx);
}

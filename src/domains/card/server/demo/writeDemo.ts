import { sql } from 'kysely';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { allowAnyOrder } from '#domains/ledger/server/index.ts';
import { sweepDemo, writeFates, writeFindings, writeHolds, writeOrders, writeReversals, writeRevocations } from './after.ts';
import { writeBatches, writeCards } from './batches.ts';
import { writeChanges } from './changes.ts';
import { writeGrants } from './grants.ts';
import { writeSettlements } from './settle.ts';
import { writeSpends, writeUses } from './spends.ts';
import { setStage, type Stage } from './stage.ts';
import { writeTypes } from './types.ts';

/** What rows of cards say of money and times is what the books and the moves say. */
async function project({ tx }: Stage): Promise<void> {
  await sql`
    update card_card c
      set principal_avail = b.principal, bonus_avail = b.bonus, held_amount = b.held,
        state = case when c.state = 'ACTIVE' and b.principal + b.bonus + b.held = 0 then 'DEPLETED' else c.state end
      from (
        select a.owner_id::bigint as id,
            sum(
              case when a.account_type = 'CARD_PRINCIPAL' then l.credit_total_fen - l.debit_total_fen - l.held_fen else 0 end
            )::bigint as principal,
            sum(
              case when a.account_type = 'CARD_BONUS' then l.credit_total_fen - l.debit_total_fen - l.held_fen else 0 end
            )::bigint as bonus,
            sum(l.held_fen)::bigint as held
          from ledger_account a
          join ledger_balance l on l.account_id = a.id
          where a.book = 'CARD' and a.owner_type = 'cardAccount'
          group by 1
      ) b
      where b.id = c.id`.execute(tx);
  await sql`
    update card_card c
      set spent_amount = w.fen
      from (select card_id, sum(amount - reversed_amount) as fen from card_write_off group by 1) w
      where w.card_id = c.id`.execute(tx);
  await sql`
    insert into card_times_balance (card_id, benefit_id, left_times, held_times, version)
    select card_id, benefit_id, sum(delta_left), sum(delta_held), count(*) from card_times_move group by 1, 2`.execute(tx);
  await sql`
    update card_card c set state = 'DEPLETED' where c.state = 'ACTIVE' and c.kind <> 'STORED_VALUE'
       and (select coalesce(sum(b.left_times), 0) from card_times_balance b where b.card_id = c.id) = 0`.execute(tx);
}

/** card.md §Demo data: half a year of cards, in the books of the ledger to the fen. */
export const writeDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { rows } = await sql`select 1 from card_type limit 1`.execute(writing.tx);
    if (rows.length > 0) return;
    const stage = await setStage(demo, writing);
    if (!stage) return;
    const { tx } = stage;
    allowAnyOrder(tx);
    const types = await writeTypes(stage);
    const { cards } = await writeBatches(stage, types);
    const grants = await writeGrants(stage, types, cards);
    const { uses } = await writeSpends(stage, cards, grants.lines, grants.times);
    const lotsOfReplaced = await writeFates(stage, cards, uses, grants.times);
    await writeCards(stage, types, cards);
    await sql`update card_card c set replaced_by_card_id = n.id from card_card n where n.replaces_card_id = c.id`.execute(tx);
    await grants.write();
    await sql`
      insert into card_lot (lot_id, card_id, kind, funder, funder_id, product_code, funding_mode, expiry_policy, grant_line_id)
        select l.id, g.card_id, case when l.ref_id like '%:p' then 'PRINCIPAL' else 'BONUS' end,
            case when l.ref_id like '%:b' and t.funder = 'CUSTOMER' then 'PLATFORM' else t.funder end, t.funder_id, t.product_code,
            case when l.ref_id like '%:p' then t.funding_mode else 'ON_GRANT' end, coalesce(t.rules ->> 'expiryPolicy', 'RETURN'), g.id
          from ledger_lot l
          join card_grant_line g on l.ref_type = 'cardGrantLine' and g.id = split_part(l.ref_id, ':', 1)::bigint
          join card_type t on t.id = g.card_type_id
          where l.parent_lot_id is null`.execute(tx);
    await lotsOfReplaced();
    await writeUses(stage, uses);
    const moves = await reserve(tx, 'card_times_move', grants.times.length);
    await bulk(
      tx,
      'card_times_move',
      grants.times.map((move, at) => ({ id: moves[at]!, ...move })),
    );
    await project(stage);
    await stage.keepNumbers();
    await writeReversals(stage, uses);
    await writeRevocations(stage);
    await sweepDemo(stage, cards);
    await writeSettlements(stage);
    await sql`update card_card set principal_avail = 0, bonus_avail = 0 where state = 'REPLACED'`.execute(tx);
    await writeHolds(stage, cards);
    await sql`delete from card_times_balance`.execute(tx);
    await project(stage);
    await writeChanges(stage, cards);
    await writeOrders(stage);
    await writeFindings(stage);
    await stage.keepNumbers();
    await stage.writeTrails();
  });

import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { querySettlementBatchDetail } from '../../contract/calls/settlement.ts';
import { changePercent } from '../../contract/rules/settlement.ts';
import { checksOf } from './checks.ts';
import { batchRow } from './lists.ts';
import { settlementBatchRecords } from '../access.ts';

/** A batch with its checks, its story, and how each counterparty's amount changed against the batch before. */
export const batchDetail = query(querySettlementBatchDetail, async ({ batchId }, ctx) => {
  const batch = await batchRow(ctx.db, batchId, ctx);
  if (!batch) throw settlementBatchRecords.missing();
  const { rows } = await sql<{ counterpartyName: string; productCode: string | null; now: string; before: string | null }>`
    select b.counterparty_name, b.product_code, b.net_amount as now,
        (
          select o.net_amount
            from card_settlement_bill o
            join card_settlement_batch p on p.id = o.batch_id
            where p.direction = s.direction
              and p.kind = s.kind
              and p.biz_line = s.biz_line
              and p.period_to < s.period_from
              and o.status <> 'VOIDED'
              and o.counterparty_type = b.counterparty_type
              and o.counterparty_id = b.counterparty_id
              and o.product_code is not distinct from b.product_code
            order by p.period_to desc, o.id desc limit 1
        ) as before
      from card_settlement_bill b
      join card_settlement_batch s on s.id = b.batch_id
      where b.batch_id = ${batchId}
      order by b.id`.execute(ctx.db);
  const trail = await trailOf(ctx.db, 'card.settlementBatch', batchId);
  return {
    batch,
    // Before it is generated and after it is voided there is nothing that could add up.
    checks: batch.state === 'GENERATING' || batch.state === 'VOIDED' ? [] : await checksOf(ctx.db, batchId),
    compared: rows.map(({ now, before, ...row }) => ({
      ...row,
      now: Number(now),
      before: before === null ? null : Number(before),
      changePercent: before === null ? null : changePercent(BigInt(before), BigInt(now)),
    })),
    timeline: trail.map(({ id, label, fromState, toState, opinion, at, displayName }) => ({
      id,
      label,
      fromState,
      toState,
      opinion,
      at,
      displayName,
    })),
  };
});

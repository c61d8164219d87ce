import { sql } from 'kysely';

/** What an invariant finds wrong, as its statement says it. */
export interface FoundRow {
  type: string;
  id: string;
  subject: string;
  expected: string;
  actual: string;
}
export type FoundRows = ReturnType<typeof sql<FoundRow>>;

/**
 * Live holds and write-offs less reversals of an order, by whichever cards, against what it costs; of an order that is known by its holds
 * alone, against the most that one of them was asked to pay.
 */
export const overpaid: FoundRows = sql<FoundRow>`
  select 'order' as type, u.biz_id as id, '订单 ' || u.biz_no as subject,
      '不超过' || (u.payable / 100.0)::numeric(18, 2)::text as expected, (u.used / 100.0)::numeric(18, 2)::text as actual
    from (
      select h.biz_id, max(h.biz_no) as biz_no, coalesce(max(o.pay_fen), max(h.payable)) as payable,
          sum(
            case h.state
              when 'HELD' then h.amount
              else (select coalesce(sum(w.amount - w.reversed_amount), 0) from card_write_off w where w.hold_id = h.id)
            end
          ) as used
        from card_hold h
        left join card_order_copy o on o.order_id = h.biz_id
        where h.biz_type in ('ORDER', 'MANUAL') and h.state in ('HELD', 'CAPTURED') and h.kind <> 'BENEFIT_CARD'
        group by h.biz_id
    ) u
    where u.used > u.payable`;

/**
 * All that live bills say of one source, what was moved on included, is at most what it is itself: a line, the carry that takes it out
 * of its bill and the line that takes that up belong together. What was decided in the counterparty's favour is booked by itself and not
 * counted.
 */
export const carriedTwice: FoundRows = sql<FoundRow>`
  with recursive chain as (
    select l.id, l.id as root_id, l.net, l.live
      from card_settlement_line l
      where l.source_type <> 'ADJUST'
    union all
    select l.id, chain.root_id, l.net, l.live
      from card_settlement_line l
      join chain on l.source_type = 'ADJUST' and l.source_id = chain.id
      join card_settlement_line before on before.id = chain.id
      where l.carries or before.carries
  )
  select 'settlementLine' as type, min(root.id) as id, max(root.source_no) as subject,
      (max(abs(root.net)) / 100.0)::numeric(18, 2)::text as expected, (abs(sum(chain.net)) / 100.0)::numeric(18, 2)::text as actual
    from chain
    join card_settlement_line root on root.id = chain.root_id
    where chain.live
    group by root.source_type, root.source_id, root.direction
    having abs(sum(chain.net)) > max(abs(root.net))
  union all
  select 'settlementLine', l.id, l.source_no, '结转的明细有效', '结转的明细已作废'
    from card_settlement_line l
    join card_settlement_line before on before.id = l.source_id
    where l.source_type = 'ADJUST' and l.live and before.carries and not before.live`;

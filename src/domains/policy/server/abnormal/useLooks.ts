import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { redeliver, type Delivery } from '#kernel/server/outbox/redeliver.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { rows, type Found, type Look } from './look.ts';

/** Whole hours that an event may be under way. */
const MOST_HOURS = 24;

/**
 * What enrolment and claim published for this domain, by what it tells of. Their own number in the payload counts the events of
 * one application, contract or claim, of which some are none of ours: a gap in it shows nothing, the last one does.
 */
const deliveredUses = sql`
  select d.outbox_id, d.consumer, d.state, o.at, (o.payload->>'seq')::int as seq, o.payload->>'contractId' as contract_id,
      case
        when o.name like 'enrolment.apply.%' then 'APPLY'
        when o.name like 'enrolment.contract.%' then 'CONTRACT'
        else 'CLAIM'
      end as ref_type,
      case
        when o.name like 'enrolment.apply.%' then o.payload->>'applyId'
        when o.name like 'enrolment.contract.%' then o.payload->>'contractId'
        else o.payload->>'claimId'
      end as ref_id,
      coalesce(o.payload->>'claimNo', o.payload->>'applyNo', o.payload->>'contractNo') as ref_no,
      case when o.name like 'enrolment.%' then (o.payload->>'insuredItemId')::bigint end as insured_item_id
    from kernel_outbox_delivery d
    join kernel_outbox o on o.id = d.outbox_id
    where d.consumer like 'policy:enrolment.%' or d.consumer like 'policy:claim.%'`;

export const useLooks = {
  AB31: rows(
    ({ now }) => sql<Found>`
    with delivered as (${deliveredUses}), newest as (
      select ref_type, ref_id, max(ref_no) as ref_no, max(contract_id) as contract_id, max(insured_item_id) as insured_item_id,
        max(seq) as seq, count(*) filter (where state <> 'DONE')::int as waiting
      from delivered where state <> 'PENDING' or at < ${now}::timestamptz - make_interval(hours => ${MOST_HOURS}::int)
      group by ref_type, ref_id
    )
    select 'coverUse' as subject_type, n.ref_id as subject_id,
      case n.ref_type when 'APPLY' then '入组申请' when 'CONTRACT' then '签约' else '理赔' end || ' ' || n.ref_no as subject,
      p.id::text as policy_id, p.insurer_id::text as insurer_id, p.insurer_name, n.ref_type as fingerprint,
      '已处理至第' || n.seq || '号事件' as expected,
      case when u.id is null then '没有使用记录' else '已处理至第' || u.last_seq || '号' end
        || case when n.waiting > 0 then '，' || n.waiting || '个事件未处理' else '' end as actual
    from newest n
      -- whose cover a claim uses, its contract reported
      left join policy_cover_use c on n.ref_type = 'CLAIM' and c.ref_type = 'CONTRACT' and c.ref_id = n.contract_id
      join policy_insured_item i on i.id = coalesce(n.insured_item_id, c.insured_item_id)
      join policy_policy p on p.id = i.policy_id
      left join policy_cover_use u on u.ref_type = n.ref_type and u.ref_id = n.ref_id
    where n.ref_id ~ '^[0-9]{1,18}$' and (n.waiting > 0 or coalesce(u.last_seq, 0) < n.seq)`,
  ),
} satisfies Partial<Record<CheckCode, Look>>;

/** Lets the events that a use did not follow be told once more; an older one than it knows changes nothing. Answers how many. */
export async function replayUse(tx: Tx, { refType, refId }: { refType: string; refId: string }, now: Instant): Promise<number> {
  const { rows: missed } = await sql<Delivery>`
    with delivered as (${deliveredUses})
    select t.outbox_id::text, t.consumer from delivered t left join policy_cover_use u on u.ref_type = t.ref_type and u.ref_id = t.ref_id
    where t.ref_type = ${refType} and t.ref_id = ${refId} and (t.state <> 'DONE' or t.seq > coalesce(u.last_seq, 0))
    order by t.outbox_id`.execute(tx);
  return redeliver(tx, missed, now);
}

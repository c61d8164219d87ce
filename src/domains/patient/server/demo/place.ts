import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

/** A suggestion of the demonstration that was made in a conversation. */
export interface PlacedSuggestion {
  suggestNo: string;
  groupId: string;
  serverId: string;
  doctorId: string;
  doctorName: string;
  at: Instant;
}

/** Suggestions, and what was bought upon them, move to where the conversations of the demonstration tell of them. */
export async function placeDemoSuggestions(tx: Tx, now: Instant, placed: readonly PlacedSuggestion[]): Promise<void> {
  const rows = sql`
    jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as p (
      "suggestNo" text, "groupId" text, "serverId" bigint, "doctorId" bigint, "doctorName" text, "at" timestamptz
    )`;
  await sql`
    update patient_record_order o
      set order_time = p."at" + interval '3 minutes', event_at = p."at" + interval '40 minutes', created_at = p."at" + interval '3 minutes',
        updated_at = p."at" + interval '40 minutes'
      from ${rows}
      where o.suggest_no = p."suggestNo"`.execute(tx);
  await sql`
    with dated as (select p.*, (p."at" at time zone 'Asia/Shanghai')::date + 30 as until from ${rows}),
    judged as (
      select d.*, d.until < (${now}::timestamptz at time zone 'Asia/Shanghai')::date as late from dated d
    ) update patient_medicine_suggested s
    set group_id = j."groupId", server_id = j."serverId", doctor_id = j."doctorId", doctor_name = j."doctorName",
      prescription_time = j."at", confirmed_at = j."at", valid_until = j.until, created_at = j."at", updated_at = j."at",
      status = case when s.order_id is not null then '2' when j.late then '3' else '1' end,
      invalid_reason = case when s.order_id is null and j.late then 'EXPIRED' end, withdraw_reason = null
    from judged j
    where s.suggest_no = j."suggestNo"`.execute(tx);
}

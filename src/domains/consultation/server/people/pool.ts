import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Candidate } from '../rules/load.ts';

/**
 * Whether a group (alias `g`) is an assistant's by appointment: of a desk, its assistants, all where it names none; of a doctor, his
 * primary and backups.
 */
export const isAppointed = (assistantId: string | RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(
  case
    when g.kind = 'DESK' then exists (
      select 1
        from consultation_guidance_desk k
        where k.id = g.desk_id and (cardinality(k.assistant_ids) = 0 or ${assistantId}::bigint = any(k.assistant_ids))
    )
    else exists (select 1 from consultation_bind_copy b where b.doctor_id = g.doctor_id and b.assistant_id = ${assistantId}::bigint)
  end
)`;

/** Whether an assistant may take a group (alias `g`): who is appointed, and everybody who is on while nobody of those is. */
export const inPool = (assistantId: string | RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${isAppointed(assistantId)}
  or (
    g.kind <> 'DESK'
    and not exists (
      select 1
        from consultation_bind_copy b
        join consultation_assistant_duty d on d.assistant_id = b.assistant_id and d.state = 'ON'
        where b.doctor_id = g.doctor_id
    )
  )
)`;

/** Whether an account is in the conversation of a group (alias `g`) now. */
export const isMember = (imUserId: string | RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select 1 from consultation_im_member m where m.conv_id = g.conv_id and m.im_user_id = ${imUserId} and m.left_at is null)`;

interface Row {
  assistantId: string;
  state: string;
  serving: number;
  maxConcurrent: number;
  lastAssignedAt: Instant | null;
  present: boolean;
}
/** Who is on without a connection for so long is not there. */
export const LOST_MIN = 3;

export interface Pooled extends Candidate {
  role: 'PRIMARY' | 'BACKUP' | null;
  /** Connected, or a moment ago. */
  present: boolean;
}

/**
 * All who might take one group, with what they serve now. Their duty rows are locked first and counted afterwards, so that
 * two groups never share one last place.
 */
export async function poolOf(
  tx: Tx,
  group: { kind: string; doctorId: string | null; deskId: string | null; groupId: string },
  now: Instant,
): Promise<Pooled[]> {
  const bound =
    group.kind === 'DOCTOR'
      ? sql`select assistant_id, role from consultation_bind_copy where doctor_id = ${group.doctorId}`
      : sql`
        select a.assistant_id, null::text as role
          from consultation_guidance_desk k
          join consultation_assistant_duty a on cardinality(k.assistant_ids) = 0 or a.assistant_id = any(k.assistant_ids)
          where k.id = ${group.deskId}`;
  const locked = await sql<{ assistantId: string; role: Pooled['role'] }>`
    with bound as (${bound})
    select d.assistant_id, b.role
      from consultation_assistant_duty d
      left join bound b on b.assistant_id = d.assistant_id
      where d.person_state not in ('LEAVE', 'DISABLED')
        and (
          b.assistant_id is not null
          or ${group.kind === 'DOCTOR'}
            and d.state = 'ON'
            and not exists (select 1 from bound x join consultation_assistant_duty y on y.assistant_id = x.assistant_id and y.state = 'ON')
        )
        and not exists (
          select 1
            from consultation_queue_pass p
            where p.group_id = ${group.groupId} and p.assistant_id = d.assistant_id and p.until > ${now}
        )
      order by d.assistant_id for no key update of d`.execute(tx);
  const roles = new Map(locked.rows.map(({ assistantId, role }) => [assistantId, role]));
  if (roles.size === 0) return [];
  const { rows } = await sql<Row>`
    select d.assistant_id, d.state, d.max_concurrent, d.last_assigned_at,
        (
          greatest(d.state_at, d.last_connected_at) > ${plusMs(now, -minutes(LOST_MIN))}
          or exists (
            select 1
              from consultation_im_connection c
              where c.im_user_id = 'A' || d.operator_id and c.last_seen_at > ${plusMs(now, -minutes(LOST_MIN))}
          )
        ) as present,
        (
          select count(*)::int from consultation_medical_group g where g.owner_assistant_id = d.assistant_id and g.work_state = 'SERVING'
        ) as serving
      from consultation_assistant_duty d
      where d.assistant_id = any(${[...roles.keys()]}::bigint[])`.execute(tx);
  return rows.map(({ state, ...row }) => ({ ...row, on: state === 'ON', role: roles.get(row.assistantId) ?? null }));
}

/** Groups that somebody serves at this moment. */
export async function servingOf(db: Db | Tx, assistantId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from consultation_medical_group where owner_assistant_id = ${assistantId} and work_state = 'SERVING'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

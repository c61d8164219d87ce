import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { days, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { scopeFilter, scopedResource } from '#kernel/server/auth/scope.ts';
import { isMachine } from '#kernel/server/auth/viewer.ts';
import type { CommandContext, Context, Db, Scope, Tx } from '#kernel/server/context.ts';
import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { patientErrors } from '../contract/errors.ts';
import { own, ownTx, type PatientRecord } from './database.ts';

export interface Seer {
  userId: string;
  roleCode: string | null;
  scope: Scope;
}
/** Jobs, consumers and other domains see everything. */
export const everyone: Seer = { userId: '0', roleCode: null, scope: { own: false, region: null, insurer: null, channel: null } };

/** An assistant keeps seeing a patient for so long after the group was closed. */
const AFTER_CLOSING = days(30);
/** Repeated looks at the same part within this time are one look. */
const SAME_LOOK = minutes(10);

const scoped = scopedResource({ region: { column: 'p.adcode' }, insurer: 'free', channel: 'deny', own: 'free' });

/** The group `g` counts for an assistant: his own, one he belongs to, or one of a doctor he serves; open or closed lately. */
const mine = (userId: string, now: Instant) => {
  const since = plusMs(now, -AFTER_CLOSING);
  return sql<SqlBool>`
    (g.closed_at is null or g.closed_at > ${since}::timestamptz)
    and exists (
      select from patient_assistant me
        where me.user_id = ${userId}
          and (
            g.assistant_operator_id = me.operator_id
            or exists (
              select from patient_care_member c
                where c.conversation_id = g.conversation_id
                  and c.operator_id = me.operator_id
                  and (c.left_at is null or c.left_at > ${since}::timestamptz)
            )
            or exists (select from patient_assistant_bind b where b.doctor_id = g.doctor_id and b.operator_id = me.operator_id)
          )
    )`;
};

/** A group is about the patient, or about somebody of his account (R8). Two searches, each by its index. */
const served = (userId: string, now: Instant) => sql<SqlBool>`(
  exists (
    select from patient_patient m
      join patient_care_group g on g.patient_id = m.id
      where (m.id = p.id or m.merged_into_id = p.id) and ${mine(userId, now)}
  )
  or exists (
    select from patient_patient m
      join patient_account_person ap on ap.patient_id = m.id and ap.removed_at is null
      join patient_care_group g on g.sufferer_operator_id = ap.operator_id
      where (m.id = p.id or m.merged_into_id = p.id) and ${mine(userId, now)}
  )
)`;

/** Who sees only what he serves himself. */
const isLimited = (seer: Seer): boolean => seer.scope.own || seer.roleCode === 'ASSISTANT';

/** Whether somebody opened this record in an emergency. */
const glass = (patientId: RawBuilder<unknown>, seer: Seer, now: Instant) =>
  sql<SqlBool>`
    exists (
      select from patient_break_glass x where x.user_id = ${seer.userId} and x.patient_id = ${patientId} and x.until > ${now}::timestamptz
    )`;

/** What somebody sees of canonical records (alias `p`): his scope, what he entered himself, and what he opened in an emergency. */
export function seesPatient(seer: Seer, now: Instant): RawBuilder<SqlBool> {
  if (seer.userId === everyone.userId) return sql<SqlBool>`true`;
  const { insurer } = seer.scope;
  const byInsurer = insurer === null ? sql<SqlBool>`true` : sql<SqlBool>`p.insurer_ids && ${[...insurer]}::bigint[]`;
  const byService = isLimited(seer) ? sql<SqlBool>`(p.created_by = ${seer.userId} or ${served(seer.userId, now)})` : sql<SqlBool>`true`;
  return sql<SqlBool>`((${scopeFilter(scoped, seer)} and ${byInsurer} and ${byService}) or ${glass(sql`p.id`, seer, now)})`;
}

/** Whether somebody sees the person that a column of another domain's row names, for the rows of its lists. */
export const seesPersonOf = (patientId: string, seer: Seer, now: Instant): RawBuilder<SqlBool> =>
  seer.userId === everyone.userId
    ? sql<SqlBool>`true`
    : sql<SqlBool>`
      exists (
        select from patient_patient a
          join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
          where a.id = ${sql.ref(patientId)} and ${seesPatient(seer, now)}
      )`;

/**
 * The same for what belongs to one conversation of the person: who is limited to his own sees it where the conversation is his,
 * also when he serves the person in another one. Without a conversation the person decides.
 */
export const seesCareOf = (patientId: string, conversationId: RawBuilder<string | null>, seer: Seer, now: Instant): RawBuilder<SqlBool> =>
  isLimited(seer)
    ? sql<SqlBool>`(${seesPersonOf(patientId, seer, now)} and (${conversationId} is null
        or exists (select from patient_care_group g where g.conversation_id = ${conversationId} and ${mine(seer.userId, now)})
        or ${glass(sql`(select coalesce(a.merged_into_id, a.id) from patient_patient a where a.id = ${sql.ref(patientId)})`, seer, now)}))`
    : seesPersonOf(patientId, seer, now);

/** A record as it opens: the canonical one, however it was asked for. */
export type Seen = PatientRecord & {
  askedId: string;
  askedNo: string;
  /** Its id and those of the records merged into it. */
  groupIds: string[];
  inScope: boolean;
};

/** What goes into the access log: part of the record, page. */
export interface Look {
  ctx: Pick<Context, 'staffOrNull' | 'client' | 'now'>;
  part: string;
  fromPage?: string | null | undefined;
}

const logged = (look: Look) => {
  const { staffOrNull: staff, client, now } = look.ctx;
  return sql`
    insert into patient_record_access (patient_id, user_id, client_id, role, kind, fields, from_page, at)
      select s.id, ${staff?.userId ?? null}::bigint, ${client?.clientId ?? null}::text, ${staff?.roleName ?? ''}, 'VIEW',
          ${[look.part]}::text[], ${look.fromPage ?? null}::text, ${now}::timestamptz
        from seen s
        where s.in_scope
          and not exists (
            select from patient_record_access x
              where x.patient_id = s.id
                and x.user_id = ${staff?.userId ?? null}::bigint
                and x.kind = 'VIEW'
                and x.fields = ${[look.part]}::text[]
                and x.at > ${plusMs(now, -SAME_LOOK)}::timestamptz
          )`;
};

/**
 * Opens a record and notes who looked, in one statement.
 * @param patientId an id, or the expression that finds it
 * @throws Refusal SCM90040 for an unknown id, SCM09001 outside the data scope of a member of staff, SCM90040 outside a machine's.
 */
export async function openPatient(
  db: Db,
  seer: Seer,
  patientId: string | RawBuilder<string | null>,
  now: Instant,
  look?: Look,
): Promise<Seen> {
  const { rows } = await sql<Seen>`
    with seen as (
      select p.*, a.id as asked_id, a.patient_no as asked_no,
             array(select m.id from patient_patient m where m.id = p.id or m.merged_into_id = p.id order by m.id) as group_ids,
             ${seesPatient(seer, now)} as in_scope
        from patient_patient a join patient_patient p on p.id = coalesce(a.merged_into_id, a.id) where a.id = ${patientId}
    )${look ? sql`, logged as (${logged(look)})` : sql``}
    select * from seen`.execute(db);
  const seen = rows[0];
  if (!seen || (!seen.inScope && isMachine(seer))) throw refuse(platformErrors.NOT_FOUND, { message: '患者不存在或已删除' });
  if (!seen.inScope) throw refuse(patientErrors.OUT_OF_SCOPE);
  return { ...seen, groupIds: seen.groupIds.map(String) };
}

/** The same, the canonical record locked until the transaction ends. */
export async function lockPatient(tx: Tx, seer: Seer, patientId: string, now: Instant): Promise<Seen> {
  const { id } = await openPatient(tx, seer, patientId, now);
  await sql`select id from patient_patient where id = ${id} for update`.execute(tx);
  return openPatient(tx, seer, id, now);
}

/** An entry of a patient's record, locked after the patient. @throws Refusal SCM90040 with `gone`. */
export async function lockEntry<DB, TB extends keyof DB, Row extends { patientId: string }>(
  ctx: CommandContext,
  rows: SelectQueryBuilder<DB, TB, Row>,
  gone: string,
): Promise<{ row: Row; seen: Seen }> {
  const { row, place } = await lockWithin(
    rows,
    { key: ({ patientId }) => patientId, lock: (patientId) => lockPatient(ctx.tx, ctx.staff, patientId, ctx.now) },
    () => refuse(platformErrors.NOT_FOUND, { message: gone }),
  );
  return { row, seen: place };
}

/** The surviving record's id; the id itself when it was never merged, null when there is none. */
export async function resolve(db: Db, patientId: string): Promise<string | null> {
  const row = await own(db)
    .selectFrom('patientPatient')
    .select(sql<string>`coalesce(merged_into_id, id)`.as('id'))
    .where('id', '=', patientId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Adds a row to the access log that is no plain look. */
export async function noteAccess(
  tx: Tx,
  ctx: Pick<Context, 'staffOrNull' | 'client' | 'now'>,
  entry: { patientId: string; kind: 'REVEAL' | 'EXPORT' | 'BREAK_GLASS'; fields: readonly string[]; reason: string | null },
): Promise<void> {
  const staff = ctx.staffOrNull;
  await ownTx(tx)
    .insertInto('patientRecordAccess')
    .values({
      patientId: entry.patientId,
      userId: staff?.userId ?? null,
      clientId: ctx.client?.clientId ?? null,
      role: staff?.roleName ?? '',
      kind: entry.kind,
      fields: [...entry.fields],
      reason: entry.reason,
      fromPage: null,
      at: ctx.now,
    })
    .execute();
}

import { sql } from 'kysely';
import type { TestApp } from '#testing/testApp.ts';
import { makeColleague } from '#domains/consultation/server/testing/inquiryWorld.ts';

/** Far from the operators that single fixtures make. */
const OPERATORS_FROM = 900_000_000;

/**
 * Many patients with one diagnosis, their consent and a single chat with one assistant, written in a few statements.
 * @returns the ids of the patients
 */
export async function makeCrowd(app: TestApp, count: number, icd10: string): Promise<string[]> {
  const { imUserId } = await makeColleague(app);
  const now = app.clock.now();
  const made = await app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into patient_patient (patient_no, name, gender, birth_date, source, created_at, updated_at)
      select 'PT' || lpad((n + 90000000)::text, 8, '0'), '众患' || n, 1 + n % 2, date '1950-01-01' + n, 'IMPORT', ${now}::timestamptz,
        ${now}::timestamptz
        from generate_series(1, ${count}::int) n returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await sql`
      insert into patient_diagnosis (patient_id, icd10, name, is_primary, diagnosed_at, state, source, created_at, updated_at)
        select id, ${icd10}, ${icd10}, true, date '2024-01-01', 'CONFIRMED', 'IMPORT', ${now}::timestamptz, ${now}::timestamptz
          from unnest(${ids}::bigint[]) id`.execute(tx);
    await sql`
      insert into patient_consent (patient_id, consent_type, doc_version, act, "by", channel, at)
        select id, 'FOLLOW_UP', 'V1', 'GRANT', 'SELF', 'MINI_APP', ${now}::timestamptz - interval '30 days'
          from unnest(${ids}::bigint[]) id`.execute(tx);
    await sql`
      insert into consultation_im_user (im_user_id, kind, operator_id, ref_id, nick, created_at, updated_at)
        select 'P' || (${OPERATORS_FROM}::bigint + id), 'PATIENT', ${OPERATORS_FROM}::bigint + id, id, '众患', ${now}::timestamptz,
            ${now}::timestamptz
          from unnest(${ids}::bigint[]) id`.execute(tx);
    await sql`
      with chat as (
        insert into consultation_im_conversation (type, user_low, user_high, created_at)
          select 'C2C', ${imUserId}::text, 'P' || (${OPERATORS_FROM}::bigint + id), ${now}::timestamptz
            from unnest(${ids}::bigint[]) id
            returning conv_id, user_low, user_high
      )
      insert into consultation_im_member (conv_id, im_user_id, user_role, join_time)
      select conv_id, user_high, 'PATIENT', ${now}::timestamptz
        from chat
      union all
      select conv_id, user_low, 'ASSISTANT', ${now}::timestamptz
        from chat`.execute(tx);
    return ids;
  });
  // As a database that runs has been: without them each of its statements reads whole tables.
  await app.database.asOwner('analyze');
  return made;
}

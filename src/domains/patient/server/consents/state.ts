import { sql, type RawBuilder } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import { consentChanged } from '#events/patient.ts';
import type { ConsentState, ConsentType } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { ageOn } from '../../contract/idNumber.ts';
import type { Seen } from '../access.ts';
import { own, ownTx } from '../database.ts';

const ADULT = 18;

/** The text that somebody would sign now. */
export const textInForce = (db: Db, consentType: ConsentType, now: Instant) =>
  own(db)
    .selectFrom('patientConsentText')
    .selectAll()
    .where('consentType', '=', consentType)
    .where('effectiveFrom', '<=', now)
    .orderBy('effectiveFrom', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** A version may be agreed to while it is in force and no later text asked everybody to sign again. @throws Refusal SCM09052 */
async function requireText(db: Db, consentType: ConsentType, docVersion: string | undefined, now: Instant): Promise<string> {
  const current = await textInForce(db, consentType, now);
  if (!current) throw refuse(patientErrors.TEXT_NOT_YET);
  if (docVersion === undefined || docVersion === current.docVersion) return current.docVersion;
  const { rows } = await sql`
    select 1
      from patient_consent_text t
      where t.consent_type = ${consentType}
        and t.doc_version = ${docVersion}
        and t.effective_from <= ${now}::timestamptz
        and not exists (
          select from patient_consent_text n
            where n.consent_type = t.consent_type
              and n.resign
              and n.effective_from > t.effective_from
              and n.effective_from <= ${now}::timestamptz
        )`.execute(db);
  if (rows.length === 0) throw refuse(patientErrors.TEXT_NOT_YET);
  return docVersion;
}

export interface ConsentWish {
  consentType: ConsentType;
  act: 'GRANT' | 'WITHDRAW';
  docVersion?: string | undefined;
  by: 'SELF' | 'GUARDIAN' | 'STAFF';
  signerName: string;
  channel: string;
  evidenceFileId: string | null;
  note: string;
  userId: string | null;
}

/**
 * Keeps an act of agreeing or withdrawing; it counts from the commit on.
 * @throws Refusal SCM09051 for a minor who signs without guardian, SCM09052 for a text that is not in force
 */
export async function keepConsent(writing: Writing, seen: Seen, act: ConsentWish, now: Instant) {
  if (seen.state === 'CANCELLED' || seen.lifeState === 'DECEASED')
    throw refuse(platformErrors.WRONG_STATE, { state: seen.state === 'CANCELLED' ? '已注销' : '已身故' });
  if (seen.birthDate !== null && ageOn(seen.birthDate, dayOf(now)) < ADULT && act.by !== 'GUARDIAN') throw refuse(patientErrors.MINOR);
  const last = await lastState(writing.tx, seen.groupIds, act.consentType);
  if (act.act === 'WITHDRAW' && last?.state !== 'VALID' && last?.state !== 'LAPSED')
    throw refuse(platformErrors.WRONG_STATE, { state: last ? '已撤回' : '未签署' });
  const docVersion = act.act === 'GRANT' ? await requireText(writing.tx, act.consentType, act.docVersion, now) : last!.docVersion;
  const tx = ownTx(writing.tx);
  await tx
    .insertInto('patientConsent')
    .values({
      patientId: seen.id,
      consentType: act.consentType,
      docVersion,
      act: act.act,
      by: act.by,
      signerName: act.signerName,
      channel: act.channel,
      evidenceFileId: act.evidenceFileId,
      note: act.note,
      createdBy: act.userId,
      at: now,
    })
    .execute();
  const state: ConsentState = act.act === 'GRANT' ? 'VALID' : 'WITHDRAWN';
  await tx
    .insertInto('patientConsentState')
    .values({ patientId: seen.id, consentType: act.consentType, state, docVersion, at: now })
    .onConflict((conflict) => conflict.columns(['patientId', 'consentType']).doUpdateSet({ state, docVersion, at: now }))
    .execute();
  await writing.publish(consentChanged, seen.id, { patientId: seen.id, consentType: act.consentType, state, at: now });
  return { patientId: seen.id, consentType: act.consentType, state, docVersion, at: now };
}

const lastState = (db: Db, groupIds: readonly string[], consentType: ConsentType) =>
  own(db)
    .selectFrom('patientConsentState')
    .select(['state', 'docVersion', 'at'])
    .where('patientId', 'in', [...groupIds])
    .where('consentType', '=', consentType)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Whether a person (an expression for his id) agrees at a moment: his last act is a grant and its text did not lapse by then (R7). */
export const agreesAt = (personId: RawBuilder<unknown>, consentType: ConsentType, at: Instant): RawBuilder<boolean> => sql<boolean>`
  coalesce((
    select c.act = 'GRANT'
        and not exists (
          select from patient_consent_text n
            where n.consent_type = c.consent_type
              and n.resign
              and n.effective_from <= ${at}::timestamptz
              and n.effective_from > (
                select t.effective_from from patient_consent_text t where t.consent_type = c.consent_type and t.doc_version = c.doc_version
              )
        )
      from patient_patient x
      join patient_patient p on p.id = coalesce(x.merged_into_id, x.id) and p.state <> 'CANCELLED' and p.life_state = 'ALIVE'
      join patient_patient m on m.id = p.id or m.merged_into_id = p.id
      join patient_consent c on c.patient_id = m.id
      where x.id = ${personId}
        and c.consent_type = ${consentType}
        and c.at <= ${at}::timestamptz
        and (
          c.by = 'GUARDIAN' or p.birth_date is null or extract(year from age((c.at at time zone 'Asia/Shanghai')::date, p.birth_date)) >= 18
        )
      order by c.at desc, c.id desc limit 1
  ), false)`;

export async function hasConsent(db: Db, patientId: string, consentType: ConsentType, at: Instant): Promise<boolean> {
  const { rows } = await sql<{ agreed: boolean }>`select ${agreesAt(sql`${patientId}::bigint`, consentType, at)} as agreed`.execute(db);
  return rows[0]?.agreed ?? false;
}

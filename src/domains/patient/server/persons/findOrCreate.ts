import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { IdType, Source } from '../../contract/dictionaries.ts';
import type { Gender } from '../../contract/fields.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import type { RealNameState } from '../../contract/states.ts';
import { lockKeys, ownTx } from '../database.ts';
import { idNoColumns, mobileColumns } from '../sensitive.ts';
import { completeIdentity } from './check.ts';
import { findDuplicates, LIKELY, likenessKeys, SAME_MOBILE_AND_NAME, SAME_NUMBER } from './duplicates.ts';
import { insertPatient, suggestMerge } from './insert.ts';

export interface FoundPerson {
  name: string;
  gender?: Gender;
  idType: IdType | null;
  idNo: string | null;
  birthDate?: string | null;
  mobile: string | null;
  adcode?: string | null;
  sourceId?: string | null;
  /** Insurer whose list or policy names the person: widens the scope of its staff. */
  insurerId?: string | null;
  scanToken?: string | null;
}

/**
 * The record of a person that a machine names: an existing one only when it is surely the same (R1), else a new one,
 * with a merge proposed where it looks like another.
 * @throws Refusal SCM09005, SCM09006 for an impossible identity number
 */
export async function findOrCreate(
  kernel: Kernel,
  writing: Writing,
  found: FoundPerson,
  source: Source,
  now: Instant,
): Promise<{ patientId: string; patientNo: string; created: boolean; realNameState: RealNameState }> {
  const today = dayOf(now);
  // A number that cannot be a mobile proves nothing and is not kept.
  const mobile = found.mobile && MOBILE.test(found.mobile) ? found.mobile : null;
  const person = completeIdentity(
    {
      name: found.name.trim(),
      gender: found.gender ?? 0,
      idType: found.idType,
      idNo: found.idNo?.trim().toUpperCase() || null,
      birthDate: found.birthDate ?? null,
      mobile,
    },
    today,
  );
  const likeness = {
    name: person.name,
    birthDate: person.birthDate,
    ...idNoColumns(kernel.secrets, person.idNo),
    ...mobileColumns(kernel.secrets, mobile),
  };
  await lockKeys(writing.tx, likenessKeys(likeness));
  const candidates = await findDuplicates(writing.tx, likeness, today);
  const same = candidates.filter(({ score }) => score >= SAME_NUMBER);
  const sure =
    same.find(({ real }) => real) ??
    same[0] ??
    (likeness.idNoHash === null
      ? candidates.find(({ score, idNoHash }) => score === SAME_MOBILE_AND_NAME && idNoHash === null)
      : undefined);
  if (sure) {
    if (found.insurerId) await addInsurer(writing, sure.patientId, found.insurerId, now);
    return { patientId: sure.patientId, patientNo: sure.patientNo, created: false, realNameState: sure.realNameState };
  }
  const made = await insertPatient(
    kernel,
    writing,
    {
      ...person,
      adcode: found.adcode ?? null,
      source,
      sourceId: found.sourceId ?? null,
      insurerId: found.insurerId ?? null,
      scanToken: found.scanToken ?? null,
    },
    { now, userId: null },
  );
  await suggestMerge(
    kernel,
    writing,
    made.id,
    candidates.filter(({ score }) => score >= LIKELY),
    now,
  );
  return { patientId: made.id, patientNo: made.patientNo, created: true, realNameState: 'UNVERIFIED' };
}

/** The insurer's staff see the patient from now on. */
export async function addInsurer(writing: Pick<Writing, 'tx'>, patientId: string, insurerId: string, now: Instant): Promise<void> {
  const row = await ownTx(writing.tx)
    .selectFrom('patientPatient')
    .select('insurerIds')
    .where('id', '=', patientId)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.insurerIds.map(String).includes(insurerId)) return;
  await ownTx(writing.tx)
    .updateTable('patientPatient')
    .set({ insurerIds: [...row.insurerIds, insurerId], updatedAt: now })
    .where('id', '=', patientId)
    .execute();
}

/** The record that is verified with this certificate; null when there is none. */
export async function findByCertificate(db: Db, idType: IdType, idNoHash: string): Promise<string | null> {
  return (await findByCertificates(db, [{ idType, idNoHash }])).get(`${idType}/${idNoHash}`) ?? null;
}

/** The records that are verified with each of many certificates, by `type/hash`; of whom there is none is not there. */
export async function findByCertificates(
  db: Db,
  asked: readonly { idType: IdType; idNoHash: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ id: string; idType: IdType; idNoHash: string }>`
    select p.id::text as id, p.id_type, p.id_no_hash from patient_patient p
    where (p.id_type, p.id_no_hash) in (select * from unnest(${asked.map(({ idType }) => idType)}::text[],
        ${asked.map(({ idNoHash }) => idNoHash)}::text[]))
      and p.state in ('ACTIVE', 'FROZEN') and p.real_name_state = 'VERIFIED'`.execute(db);
  return new Map(rows.map(({ id, idType, idNoHash }) => [`${idType}/${idNoHash}`, id]));
}

import { startsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { BaseInfo } from '../contract/calls/panel.ts';
import { everyone, openPatient, seesPatient, type Seer } from './access.ts';
import { own } from './database.ts';
import { baseInfoOf } from './persons/facts.ts';
import { agreesAt } from './consents/state.ts';
import type { ConsentType } from '../contract/dictionaries.ts';

/** Whether somebody may open a person's record now (R8). */
export async function access(db: Db, patientId: string, seer: Seer, now: Instant): Promise<boolean> {
  const { rows } = await sql<{ sees: boolean }>`
    select ${seesPatient(seer, now)} as sees
      from patient_patient a
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      where a.id = ${patientId}`.execute(db);
  return rows[0]?.sees ?? false;
}

/** The base section as the record shows it. @throws Refusal SCM90040 */
export const getBaseInfo = async (db: Db, patientId: string, now: Instant): Promise<BaseInfo> =>
  baseInfoOf(db, await openPatient(db, everyone, patientId, now), dayOf(now));

export interface PatientLabel {
  /** The id that was asked for. */
  patientId: string;
  canonicalId: string;
  patientNo: string;
  name: string;
  /** 张先生, 李女士; the name where the gender is unknown. */
  salutation: string;
  gender: number;
  mobileMasked: string | null;
  state: string;
  lifeState: string;
  realNameState: string;
}

const COMPOUND = /^(欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|司徒|令狐|夏侯|端木|百里)/;
const salutationOf = (name: string, gender: number): string => {
  if (gender === 0 || /[·•A-Za-z]/.test(name)) return name;
  return `${COMPOUND.exec(name)?.[0] ?? [...name][0] ?? ''}${gender === 1 ? '先生' : '女士'}`;
};

/** Who the persons are, for lists of other domains; unknown ids are left out. */
export async function labels(db: Db, ids: readonly string[]): Promise<PatientLabel[]> {
  if (ids.length === 0) return [];
  const rows = await own(db)
    .selectFrom('patientPatient as a')
    .innerJoin('patientPatient as p', (join) => join.on(sql<boolean>`p.id = coalesce(a.merged_into_id, a.id)`))
    .select([
      'a.id as patientId',
      'p.id as canonicalId',
      'p.patientNo',
      'p.name',
      'p.gender',
      'p.mobileMasked',
      'p.state',
      'p.lifeState',
      'p.realNameState',
    ])
    .where('a.id', 'in', [...new Set(ids)])
    .execute();
  return rows.map((row) => ({ ...row, salutation: salutationOf(row.name, row.gender) }));
}

/** Enciphered mobile numbers of canonical persons, by the ids asked for; who has none is missing. */
export async function mobileCiphers(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('patientPatient as a')
    .innerJoin('patientPatient as p', (join) => join.on(sql<boolean>`p.id = coalesce(a.merged_into_id, a.id)`))
    .select(['a.id', 'p.mobileCipher'])
    .where('a.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.flatMap(({ id, mobileCipher }) => (mobileCipher === null ? [] : [[id, mobileCipher] as const])));
}

/** Codes of a person's live confirmed diagnoses. */
export async function confirmedCodes(db: Db, patientId: string): Promise<string[]> {
  const { rows } = await sql<{ icd10: string }>`
    select distinct d.icd10
      from patient_patient a
      join patient_patient m on coalesce(m.merged_into_id, m.id) = coalesce(a.merged_into_id, a.id)
      join patient_diagnosis d on d.patient_id = m.id
      where a.id = ${patientId} and d.state = 'CONFIRMED' and d.voided_at is null`.execute(db);
  return rows.map(({ icd10 }) => icd10);
}

const likePrefixes = (prefixes: readonly string[]): string[] => prefixes.map((prefix) => startsPattern(prefix.toUpperCase()));

/** Canonical persons with a live confirmed diagnosis of one of the code prefixes, by id, after `afterId`. */
export async function listByDiagnosis(db: Db, prefixes: readonly string[], afterId: string, limit: number): Promise<string[]> {
  if (prefixes.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct p.id
      from patient_diagnosis d
      join patient_patient a on a.id = d.patient_id
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      where d.icd10 like any(${likePrefixes(prefixes)}::text[])
        and d.state = 'CONFIRMED'
        and d.voided_at is null
        and p.state = 'ACTIVE'
        and p.life_state = 'ALIVE'
        and p.id > ${afterId}
      order by p.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of some canonical persons who have a live confirmed diagnosis of one of the code prefixes. */
export async function withDiagnosis(db: Db, patientIds: readonly string[], prefixes: readonly string[]): Promise<ReadonlySet<string>> {
  if (patientIds.length === 0 || prefixes.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select p.id
      from patient_patient p
      where p.id = any(${[...patientIds]}::bigint[])
        and p.state = 'ACTIVE'
        and p.life_state = 'ALIVE'
        and exists (
          select from patient_patient a
            join patient_diagnosis d on d.patient_id = a.id
            where (a.id = p.id or a.merged_into_id = p.id)
              and d.icd10 like any(${likePrefixes(prefixes)}::text[])
              and d.state = 'CONFIRMED'
              and d.voided_at is null
        )`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface DiagnosedPerson {
  patientId: string;
  name: string;
  gender: number;
  birthDate: string | null;
}

/** Canonical persons whom somebody sees, with a live confirmed diagnosis of one of the code prefixes; by name, those entered last first. */
export async function searchDiagnosed(
  db: Db,
  seer: Seer,
  search: { prefixes: readonly string[]; name: string | null; limit: number },
  now: Instant,
): Promise<DiagnosedPerson[]> {
  const { rows } = await sql<DiagnosedPerson>`
    select p.id as patient_id, p.name, p.gender, p.birth_date::text as birth_date
      from patient_patient p
      where p.merged_into_id is null
        and p.state = 'ACTIVE'
        and p.life_state = 'ALIVE'
        and ${seesPatient(seer, now)}
        and (${search.name}::text is null or position(lower(${search.name}::text) in lower(p.name)) > 0)
        and exists (
          select from patient_patient m
            join patient_diagnosis d on d.patient_id = m.id
            where (m.id = p.id or m.merged_into_id = p.id)
              and d.state = 'CONFIRMED'
              and d.voided_at is null
              and d.icd10 like any(${likePrefixes(search.prefixes)}::text[])
        )
      order by p.id desc limit ${search.limit}`.execute(db);
  return rows;
}

/** Which of the persons agree at a moment, as `hasConsent` says of one. */
export async function agreeing(db: Db, patientIds: readonly string[], consentType: ConsentType, at: Instant): Promise<ReadonlySet<string>> {
  if (patientIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select a.id from unnest(${[...patientIds]}::bigint[]) as a (id) where ${agreesAt(sql`a.id`, consentType, at)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** `{patientId}:{medicineId}` of those of the medicines that a doctor prescribed to the persons and that may still be bought on a day. */
export async function prescribedMedicines(
  db: Db,
  patientIds: readonly string[],
  medicineIds: readonly string[],
  today: Day,
): Promise<ReadonlySet<string>> {
  if (patientIds.length === 0 || medicineIds.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    select distinct a.id || ':' || (m.item ->> 'medicineId') as key
      from patient_patient a join patient_patient g on coalesce(g.merged_into_id, g.id) = coalesce(a.merged_into_id, a.id)
      join patient_medicine_suggested s on s.patient_id = g.id and s.status in ('1', '2') and s.valid_until >= ${today}::date
      cross join lateral jsonb_array_elements(s.medicines) as m (item)
     where a.id = any(${[...patientIds]}::bigint[]) and m.item ->> 'medicineId' = any(${[...medicineIds]}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

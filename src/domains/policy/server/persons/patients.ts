import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import { findByCertificates } from '#domains/patient/server/index.ts';
import type { IdType } from '../../contract/dictionaries.ts';

/** Certificates under which patient knows a person. */
const PATIENT_TYPES = { ID_CARD: 'ID', PASSPORT: 'PASSPORT', HK_MO: 'HKMO', TW: 'TW', BIRTH: 'BIRTH', OTHER: null } as const;

interface Certified {
  id: string;
  idType: IdType;
  idNoHash: string;
  patientId: string | null;
}

/** The patient who proved each certificate; null: nobody did. */
export async function patientsOf(tx: Tx, asked: readonly { idType: IdType; idNoHash: string | null }[]): Promise<(string | null)[]> {
  const certificates = asked.map(({ idType, idNoHash }) => {
    const type = PATIENT_TYPES[idType];
    return type === null || idNoHash === null ? null : { idType: type, idNoHash };
  });
  const found = await findByCertificates(
    tx,
    certificates.filter((one) => one !== null),
  );
  return certificates.map((one) => (one === null ? null : (found.get(`${one.idType}/${one.idNoHash}`) ?? null)));
}

/** Links persons with the patients who proved their certificates, and unlinks whose certificate nobody proves any more. */
async function link(tx: Tx, persons: readonly Certified[]): Promise<void> {
  const patients = await patientsOf(tx, persons);
  const other = persons.flatMap(({ id, patientId }, at) => (patients[at] === patientId ? [] : [{ id, patientId: patients[at] ?? null }]));
  if (other.length === 0) return;
  await sql`
    update policy_insured_item i
      set patient_id = l.patient_id, real_name_state = case when l.patient_id is null then 'NONE' else 'PASSED' end
      from unnest(${other.map(({ id }) => id)}::bigint[], ${other.map(({ patientId }) => patientId)}::bigint[]) as l (id, patient_id)
      where i.id = l.id`.execute(tx);
}

/** Persons whom a list brought in with some of its rows. */
export async function linkRows(tx: Tx, rowIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Certified>`
    select i.id::text as id, i.id_type, i.id_no_hash, i.patient_id::text as patient_id
    from policy_insured_batch_row r join policy_insured_item i on i.id = r.insured_item_id
    where r.id = any(${[...rowIds]}::bigint[]) and r.result = 'ADD' and i.id_no_hash is not null and i.patient_id is null`.execute(tx);
  await link(tx, rows);
}

/** Persons of whom a patient's certificate says who they are, or said it until now; whichever event comes first, patient is asked. */
export async function linkPatient(tx: Tx, patientId: string, idNoHash: string | null): Promise<void> {
  const { rows } = await sql<Certified>`
    select i.id::text as id, i.id_type, i.id_no_hash, i.patient_id::text as patient_id from policy_insured_item i
    where i.id_no_hash is not null and (i.patient_id = ${patientId} or i.id_no_hash = ${idNoHash})`.execute(tx);
  await link(tx, rows);
}

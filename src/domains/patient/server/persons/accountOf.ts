import { sql } from 'kysely';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { own } from '../database.ts';
import { mobileHash } from '../sensitive.ts';

/** The account through which a person is reached: his own, else the one that added him first; null when he has none. */
export async function accountOfPerson(
  db: Db | Tx,
  patientId: string,
): Promise<{ operatorId: string; name: string; mobileMasked: string | null } | null> {
  const { rows } = await sql<{ operatorId: string; name: string; mobileMasked: string | null }>`
    select l.operator_id, p.name, c.mobile_masked
      from patient_patient a
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      join patient_patient m on coalesce(m.merged_into_id, m.id) = p.id
      join patient_account_person l on l.patient_id = m.id and l.removed_at is null
      join patient_account c on c.operator_id = l.operator_id and c.state <> 'CANCELLED'
      where a.id = ${patientId}
      order by (l.relation = 'SELF') desc, l.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Accounts that use a mobile now. */
export async function accountsByMobile(kernel: Pick<Kernel, 'secrets'>, db: Db, mobile: string): Promise<string[]> {
  const rows = await own(db)
    .selectFrom('patientAccount')
    .select('operatorId')
    .where('mobileHash', '=', mobileHash(kernel.secrets, mobile))
    .execute();
  return rows.map(({ operatorId }) => operatorId);
}

/** Whether these are the last four digits of the account's mobile; false for an account without one. */
export async function mobileEndsWith(kernel: Pick<Kernel, 'secrets'>, db: Db | Tx, operatorId: string, digits: string): Promise<boolean> {
  const row = await own(db).selectFrom('patientAccount').select('mobileCipher').where('operatorId', '=', operatorId).executeTakeFirst();
  return row?.mobileCipher != null && kernel.secrets.decrypt(row.mobileCipher).endsWith(digits);
}

/** Records that a mobile belongs to: their own, or that of an account they stand in. */
export async function personsByMobile(kernel: Pick<Kernel, 'secrets'>, db: Db, mobile: string): Promise<string[]> {
  const hash = mobileHash(kernel.secrets, mobile);
  const { rows } = await sql<{ id: string }>`
    select a.id
      from patient_patient a
      where a.mobile_hash = ${hash}
    union
    select ap.patient_id
      from patient_account_person ap
      join patient_account ac on ac.operator_id = ap.operator_id
      where ac.mobile_hash = ${hash} and ap.removed_at is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Records of numbers as people write them. */
export async function personsByNo(db: Db | Tx, numbers: readonly string[]): Promise<{ patientNo: string; patientId: string }[]> {
  const wanted = numbers.filter((one) => /^PT\d{8}$/.test(one));
  return wanted.length === 0
    ? []
    : own(db).selectFrom('patientPatient').select(['patientNo', 'id as patientId']).where('patientNo', 'in', wanted).execute();
}

import { lockKeys as lockKeysOf } from '../../../kernel/server/command/lockKeys.ts';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { PatientPatient, PatientTables as Tables } from './tables.ts';

export { json } from '../../../kernel/server/database/json.ts';

/** A plain object type, as Kysely wants it. */
type PatientTables = Pick<Tables, keyof Tables>;
export type PatientDb = Kysely<PatientTables>;
export type PatientTx = Transaction<PatientTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): PatientDb => db.withTables<PatientTables>();
export const ownTx = (tx: Tx): PatientTx => tx.withTables<PatientTables>();

export type PatientRecord = Selectable<PatientPatient>;

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'patient', keys);

/** Ids of the records that were merged into `p`, itself included; for `patient_id in (…)`. */
export const groupOf = (canonicalId: string) =>
  sql<string>`(select m.id from patient_patient m where m.id = ${canonicalId} or m.merged_into_id = ${canonicalId})`;

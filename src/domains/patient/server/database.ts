import { lockKeys as lockKeysOf } from '#kernel/server/command/lockKeys.ts';
import { sql, type Selectable } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { PatientPatient, PatientTables } from './tables.ts';

export { json } from '#kernel/server/database/json.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<PatientTables> = handlesOf<PatientTables>();
export type PatientDb = ReturnType<typeof own>;
export type PatientTx = ReturnType<typeof ownTx>;

export type PatientRecord = Selectable<PatientPatient>;

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'patient', keys);

/** Ids of the records that were merged into `p`, itself included; for `patient_id in (…)`. */
export const groupOf = (canonicalId: string) =>
  sql<string>`(select m.id from patient_patient m where m.id = ${canonicalId} or m.merged_into_id = ${canonicalId})`;

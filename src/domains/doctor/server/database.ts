import { lockKeys as lockKeysOf } from '#kernel/server/command/lockKeys.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SqlBool } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { DoctorTables } from './tables.ts';

export { json } from '#kernel/server/database/json.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<DoctorTables> = handlesOf<DoctorTables>();
export type DoctorDb = ReturnType<typeof own>;
export type DoctorTx = ReturnType<typeof ownTx>;
export type { DoctorTables } from './tables.ts';

/** The doctor `d` whose name, pinyin or number holds what was typed. */
export const isDoctor = (_eb: unknown, typed: string) =>
  sql<SqlBool>`(
    d.name like ${containsPattern(typed)}
    or d.name_pinyin like ${containsPattern(typed.toLowerCase())}
    or d.doctor_no like ${containsPattern(typed.toUpperCase())}
  )`;

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx | DoctorTx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'doctor', keys);

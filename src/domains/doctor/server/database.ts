import { lockKeys as lockKeysOf } from '../../../kernel/server/command/lockKeys.ts';
import { containsPattern } from '../../../kernel/server/database/search.ts';
import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { DoctorTables as Tables } from './tables.ts';

export { json } from '../../../kernel/server/database/json.ts';

/** A plain object type, as Kysely wants it. */
export type DoctorTables = Pick<Tables, keyof Tables>;
export type DoctorDb = Kysely<DoctorTables>;
export type DoctorTx = Transaction<DoctorTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): DoctorDb => db.withTables<DoctorTables>();
export const ownTx = (tx: Tx): DoctorTx => tx.withTables<DoctorTables>();

/** The doctor `d` whose name, pinyin or number holds what was typed. */
export const isDoctor = (_eb: unknown, typed: string) =>
  sql<SqlBool>`(
    d.name like ${containsPattern(typed)}
    or d.name_pinyin like ${containsPattern(typed.toLowerCase())}
    or d.doctor_no like ${containsPattern(typed.toUpperCase())}
  )`;

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx | DoctorTx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'doctor', keys);

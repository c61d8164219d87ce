import { lockKeys as lockKeysOf } from '../../../kernel/server/command/lockKeys.ts';
import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { InstitutionTables as Tables } from './tables.ts';

export { json } from '../../../kernel/server/database/json.ts';

/** A plain object type, as Kysely wants it. */
export type InstitutionTables = Pick<Tables, keyof Tables>;
export type InstitutionDb = Kysely<InstitutionTables>;
export type InstitutionTx = Transaction<InstitutionTables>;

/** The same handles, narrowed to the tables of this domain. */
export const ownDb = (db: Db): InstitutionDb => db.withTables<InstitutionTables>();
export const ownTx = (tx: Tx): InstitutionTx => tx.withTables<InstitutionTables>();

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx | InstitutionTx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'institution', keys);

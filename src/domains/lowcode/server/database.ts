import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { LowcodeTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type LowcodeTables = Pick<Tables, keyof Tables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): Kysely<LowcodeTables> => db.withTables<LowcodeTables>();
export const ownTx = (tx: Tx): Transaction<LowcodeTables> => tx.withTables<LowcodeTables>();

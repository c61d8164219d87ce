import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { LedgerTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type LedgerTables = Pick<Tables, keyof Tables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db | Tx): Kysely<LedgerTables> => (db as Db).withTables<LedgerTables>();
export const ownTx = (tx: Tx): Transaction<LedgerTables> => tx.withTables<LedgerTables>();

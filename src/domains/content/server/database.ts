import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { ContentTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type ContentTables = Pick<Tables, keyof Tables>;

export type ContentDb = Kysely<ContentTables>;
export type ContentTx = Transaction<ContentTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): ContentDb => db.withTables<ContentTables>();
export const ownTx = (tx: Tx): ContentTx => tx.withTables<ContentTables>();

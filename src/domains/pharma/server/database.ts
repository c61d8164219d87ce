import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { PharmaTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type PharmaTables = Pick<Tables, keyof Tables>;

export type PharmaDb = Kysely<PharmaTables>;
export type PharmaTx = Transaction<PharmaTables>;

/** The same handles, narrowed to the tables of this domain. */
export const pharmaDb = (db: Db): PharmaDb => db.withTables<PharmaTables>();
export const pharmaTx = (tx: Tx): PharmaTx => tx.withTables<PharmaTables>();

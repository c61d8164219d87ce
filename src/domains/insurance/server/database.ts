import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { InsuranceTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type InsuranceTables = Pick<Tables, keyof Tables>;

export type InsuranceDb = Kysely<InsuranceTables>;
export type InsuranceTx = Transaction<InsuranceTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): InsuranceDb => db.withTables<InsuranceTables>();
export const ownTx = (tx: Tx): InsuranceTx => tx.withTables<InsuranceTables>();

import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { ConsultationTables as Tables } from './tables.ts';

export { json } from '../../../kernel/server/database/json.ts';

/** A plain object type, as Kysely wants it. */
export type ConsultationTables = Pick<Tables, keyof Tables>;
export type ConsultationDb = Kysely<ConsultationTables>;
export type ConsultationTx = Transaction<ConsultationTables>;

/** The same handles, narrowed to the tables of this domain. */
export const ownDb = (db: Db): ConsultationDb => db.withTables<ConsultationTables>();
export const ownTx = (tx: Tx): ConsultationTx => tx.withTables<ConsultationTables>();

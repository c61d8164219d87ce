import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { ConsultationTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
export type ConsultationTables = Pick<Tables, keyof Tables>;
export type ConsultationDb = Kysely<ConsultationTables>;
export type ConsultationTx = Transaction<ConsultationTables>;

/** The same handles, narrowed to the tables of this domain. */
export const ownDb = (db: Db): ConsultationDb => db.withTables<ConsultationTables>();
export const ownTx = (tx: Tx): ConsultationTx => tx.withTables<ConsultationTables>();

/** What code writes as jsonb. */
export const json = (value: unknown): string => JSON.stringify(value);

import type { Kysely, Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { CorpusTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type CorpusTables = Pick<Tables, keyof Tables>;

export type CorpusDb = Kysely<CorpusTables>;
export type CorpusTx = Transaction<CorpusTables>;

/** The same handles, narrowed to the tables of this domain. */
export const corpusDb = (db: Db): CorpusDb => db.withTables<CorpusTables>();
export const corpusTx = (tx: Tx): CorpusTx => tx.withTables<CorpusTables>();

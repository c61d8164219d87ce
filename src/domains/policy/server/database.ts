import type { Kysely } from 'kysely';
import type { Db } from '../../../kernel/server/context.ts';
import type { PolicyTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type PolicyTables = Pick<Tables, keyof Tables>;
export type PolicyDb = Kysely<PolicyTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): PolicyDb => db.withTables<PolicyTables>();

export const json = (value: unknown): string => JSON.stringify(value);

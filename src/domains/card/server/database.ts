import type { Kysely } from 'kysely';
import type { Db } from '../../../kernel/server/context.ts';
import type { CardTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type CardTables = Pick<Tables, keyof Tables>;
export type CardDb = Kysely<CardTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): CardDb => db.withTables<CardTables>();

export const json = (value: unknown): string => JSON.stringify(value);

import { sql, type Kysely, type SelectQueryBuilder, type SqlBool, type Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { DoctorTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
export type DoctorTables = Pick<Tables, keyof Tables>;
export type DoctorDb = Kysely<DoctorTables>;
export type DoctorTx = Transaction<DoctorTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): DoctorDb => db.withTables<DoctorTables>();
export const ownTx = (tx: Tx): DoctorTx => tx.withTables<DoctorTables>();

/** What code writes as jsonb. */
export const json = (value: unknown): string => JSON.stringify(value);

export const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The doctor `d` whose name, pinyin or number holds what was typed. */
export const isDoctor = (_eb: unknown, typed: string) =>
  sql<SqlBool>`(d.name like ${like(typed)} or d.name_pinyin like ${like(typed.toLowerCase())} or d.doctor_no like ${like(typed.toUpperCase())})`;

/** Makes writers of equal keys wait for each other, so that a check before a write holds; always in one order. */
export async function lockKeys(tx: Tx | DoctorTx, keys: readonly (string | null)[]): Promise<void> {
  const wanted = [...new Set(keys.filter((key) => key !== null))].toSorted();
  for (const key of wanted) await sql`select pg_advisory_xact_lock(hashtextextended(${`doctor:${key}`}, 0))`.execute(tx);
}

/** Exact number of rows of a query without columns. */
export async function countOf<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const row: object = await query.select(sql<string>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return 'n' in row ? Number(row.n) : 0;
}

import { sql, type Kysely, type SelectQueryBuilder, type Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { InstitutionTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
export type InstitutionTables = Pick<Tables, keyof Tables>;
export type InstitutionDb = Kysely<InstitutionTables>;
export type InstitutionTx = Transaction<InstitutionTables>;

/** The same handles, narrowed to the tables of this domain. */
export const ownDb = (db: Db): InstitutionDb => db.withTables<InstitutionTables>();
export const ownTx = (tx: Tx): InstitutionTx => tx.withTables<InstitutionTables>();

/** What code writes as jsonb. */
export const json = (value: unknown): string => JSON.stringify(value);

export const likeText = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
export const startsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Makes writers of equal keys wait for each other, so that a check before a write holds; always in one order. */
export async function lockKeys(tx: Tx | InstitutionTx, keys: readonly (string | null)[]): Promise<void> {
  const wanted = [...new Set(keys.filter((key) => key !== null))].toSorted();
  for (const key of wanted) await sql`select pg_advisory_xact_lock(hashtextextended(${`institution:${key}`}, 0))`.execute(tx);
}

/** Exact number of rows of a query without columns. */
export async function countOf<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const row: object = await query.select(sql<string>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return 'n' in row ? Number(row.n) : 0;
}

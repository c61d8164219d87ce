import { containsPattern } from '../../../kernel/server/database/search.ts';
import { sql, type ExpressionBuilder, type Kysely, type SqlBool, type StringReference, type Transaction } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { ChannelTables as Tables } from './tables.ts';

/** A plain object type, as Kysely wants it. */
type ChannelTables = Pick<Tables, keyof Tables>;

export type ChannelDb = Kysely<ChannelTables>;
export type ChannelTx = Transaction<ChannelTables>;

/** The same handles, narrowed to the tables of this domain. */
export const own = (db: Db): ChannelDb => db.withTables<ChannelTables>();
export const ownTx = (tx: Tx): ChannelTx => tx.withTables<ChannelTables>();

/** The column of a list holds the text. */
export const holds =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>) =>
  (_eb: ExpressionBuilder<DB, TB>, text: string) =>
    sql<SqlBool>`${sql.ref(String(column))} like ${containsPattern(text)}`;

/** The column of a list holds the part of a number, which is written in capitals. */
export const holdsNumber =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>) =>
  (_eb: ExpressionBuilder<DB, TB>, text: string) =>
    sql<SqlBool>`${sql.ref(String(column))} like ${containsPattern(text.toUpperCase())}`;

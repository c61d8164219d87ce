import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type ExpressionBuilder, type SqlBool, type StringReference } from 'kysely';
import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { ChannelTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<ChannelTables> = handlesOf<ChannelTables>();
export type ChannelDb = ReturnType<typeof own>;
export type ChannelTx = ReturnType<typeof ownTx>;

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

import { sql, type Expression, type ExpressionBuilder, type SqlBool, type StringReference } from 'kysely';
import { regionPrefix } from '../auth/scope.ts';
import { containsPattern } from '../database/search.ts';

// Conditions that many lists put on their rows; the column is checked against the list's own query.

type Made<DB, TB extends keyof DB, Value> = (eb: ExpressionBuilder<DB, TB>, value: Value) => Expression<SqlBool>;
const ref = (column: string) => sql.ref(column);

/** The column holds the text anywhere, in any case. */
export const contains =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, string> =>
  (_eb, text) =>
    sql<SqlBool>`${ref(column)} ilike ${containsPattern(text)}`;

/** One of the columns holds the text. */
export const containsOneOf =
  <DB, TB extends keyof DB>(...columns: StringReference<DB, TB>[]): Made<DB, TB, string> =>
  (eb, text) =>
    eb.or(columns.map((column) => sql<SqlBool>`${ref(column)} ilike ${containsPattern(text)}`));

const whole = new WeakSet<object>();
/** The condition finds what was typed whole alone; the filter's label in the contract says so (`wholeText`). */
export const isWhole = (condition: object): boolean => whole.has(condition);

/** The condition with the mark that it takes whole values alone. */
function ofWhole<Condition extends object>(condition: Condition): Condition {
  whole.add(condition);
  return condition;
}

/** The column is the number that somebody typed, in capitals as the server gives them out. */
export const isNumber = <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, string> =>
  ofWhole((_eb, text) => sql<SqlBool>`${ref(column)} = ${text.trim().toUpperCase()}`);

/** The column's adcode lies within a region. */
export const inRegion =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, string> =>
  (_eb, adcode) =>
    sql<SqlBool>`${ref(column)} like ${`${regionPrefix(adcode)}%`}`;

/** From this instant, day or number on. */
export const from =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, string | number> =>
  (_eb, value) =>
    sql<SqlBool>`${ref(column)} >= ${value}`;

/** Up to and with this instant, day or number. */
export const upTo =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, string | number> =>
  (_eb, value) =>
    sql<SqlBool>`${ref(column)} <= ${value}`;

/** Whether the column holds anything. */
export const isSet =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, boolean> =>
  (_eb, yes) =>
    yes ? sql<SqlBool>`${ref(column)} is not null` : sql<SqlBool>`${ref(column)} is null`;

/** Whether the column's count is above nothing. */
export const hasAny =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, boolean> =>
  (_eb, yes) =>
    yes ? sql<SqlBool>`${ref(column)} > 0` : sql<SqlBool>`${ref(column)} = 0`;

/** The column's list has one of the codes. */
export const hasOneOf =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, readonly string[]> =>
  (_eb, codes) =>
    sql<SqlBool>`${ref(column)} && ${[...codes]}::text[]`;

/** The column's list has all of the codes. */
export const hasAll =
  <DB, TB extends keyof DB>(column: StringReference<DB, TB>): Made<DB, TB, readonly string[]> =>
  (_eb, codes) =>
    sql<SqlBool>`${ref(column)} @> ${[...codes]}::text[]`;

/** The filter is answered in the list's `from`, `order` or `select`, or in another filter's condition. */
export const elsewhere = (): undefined => undefined;

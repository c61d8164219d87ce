import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { CompiledQuery, sql } from 'kysely';
import { EXACT_COUNT_LIMIT } from '../../contract/envelope.ts';
import { refuseField } from '../../contract/errors.ts';
import type { Db, Staff } from '../context.ts';

/**
 * Counts the rows of a query exactly up to 10,000; 10,001 means "more", so a count never reads a whole table.
 * @param query the list's query with its filters, without ordering, paging or selected columns.
 */
export async function totalUpTo<DB, TB extends keyof DB, O>(
  db: { executeQuery: Db['executeQuery'] },
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const { rows } = await db.executeQuery(countUpTo(query));
  return rows[0]!.total;
}

/** The statement of `totalUpTo`. */
export function countUpTo<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): CompiledQuery<{ total: number }> {
  const limited = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'))
    // As text: as a parameter it would be guessed, and the plan for a guess fits no filter.
    .limit(sql.lit(EXACT_COUNT_LIMIT + 1))
    .compile();
  return CompiledQuery.raw(`select count(*)::int as total from (${limited.sql}) as counted`, [...limited.parameters]);
}

/** Counts all rows of a query, however many: for exports. */
export async function countOf<DB, TB extends keyof DB, O>(
  db: { executeQuery: Db['executeQuery'] },
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const all = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'))
    .compile();
  const { rows } = await db.executeQuery<{ total: string }>(
    CompiledQuery.raw(`select count(*) as total from (${all.sql}) as counted`, [...all.parameters]),
  );
  return Number(rows[0]!.total);
}

/** Offset of a page; `pageNo` serves the first 10,000 rows of a list and no more. */
export function offsetOf(paging: { pageNo: number; pageSize: number }): number {
  const offset = (paging.pageNo - 1) * paging.pageSize;
  if (offset >= EXACT_COUNT_LIMIT) throw refuseField('pageNo', '只能翻看前10000条，请缩小筛选范围');
  return offset;
}

/**
 * One page of a list. Of a list without filters for somebody who sees everything the page size is a literal in the SQL text: its plan
 * depends on no parameter then, and PostgreSQL keeps it instead of planning at every call. With filters the plan
 * must follow what is asked for, and the size stays a parameter, which keeps it from being fixed.
 */
export const onePage =
  (paging: { pageNo: number; pageSize: number }, filter: object, { scope }: Pick<Staff, 'scope'>) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> => {
    const offset = offsetOf(paging);
    const everything = Object.values({ ...filter, ...scope }).every((value) => value === undefined || value === null || value === false);
    const sized = query.limit(everything ? sql.lit(paging.pageSize) : paging.pageSize);
    return offset === 0 && everything ? sized : sized.offset(offset);
  };

/** Of a million rows this many are met too rarely on the way down the ids. */
const FEW = 1_000;

/**
 * What a long list is ordered by, newest first. Where its filters leave few rows, PostgreSQL may hope to meet a page of them
 * soon on its way down the ids, and read the whole table; ordered by no index's order they are found by the filters and sorted.
 * @param total what `totalUpTo` counted
 */
export const newest = (id: string, total: number): RawBuilder<string> => (total > FEW ? sql`${sql.ref(id)}` : sql`${sql.ref(id)} + 0`);

/** Position in a keyset-paged list, opaque on the wire. */
export const encodeCursor = (values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** @throws Refusal SCM90020 when the text is no cursor of `length` values. */
export function decodeCursor(text: string, length: number): (string | number | null)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (
      Array.isArray(values) &&
      values.length === length &&
      values.every((value) => value === null || typeof value === 'string' || typeof value === 'number')
    ) {
      return values as (string | number | null)[];
    }
  } catch {
    // falls through to the refusal: whatever it was, it is no cursor of ours
  }
  throw refuseField('cursor', '翻页位置无效，请从第一页开始');
}

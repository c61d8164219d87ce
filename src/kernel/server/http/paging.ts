import type { SelectQueryBuilder } from 'kysely';
import { CompiledQuery, sql } from 'kysely';
import { EXACT_COUNT_LIMIT } from '../../contract/envelope.ts';
import { refuseField } from '../../contract/errors.ts';
import type { Db } from '../context.ts';

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

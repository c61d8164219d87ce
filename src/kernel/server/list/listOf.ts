import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type StringReference,
} from 'kysely';
import type { Call, CheckedInputOf, CursorPage, OutputOf } from '../../contract/call.ts';
import { splitOrder, type Direction } from '../../contract/sorting.ts';
import type { Day, Instant } from '../../contract/time.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Db, QueryContext } from '../context.ts';
import type { Handler } from '../handler.ts';
import { readTogether } from '../database/readTogether.ts';
import { countOf, countUpTo, decodeCursor, encodeCursor, offsetOf } from '../http/paging.ts';
import { isWhole } from './conditions.ts';
import { RecentAnswers } from './recentAnswers.ts';
import { rowsOf } from './rowsOf.ts';

export type ListCall = Call & { shape: 'list' | 'cursor' };

/** The filters of a list call, checked. */
export type FilterOf<C> = Omit<CheckedInputOf<C>, 'pageNo' | 'pageSize' | 'cursor' | 'orderBy'>;

/** Who asks a list for what, when. */
export interface ListAsk<Filter> {
  db: Db;
  staff: Viewer;
  now: Instant;
  today: Day;
  filter: Filter;
  has(permission: string | { code: string }): boolean;
}

interface Paging {
  pageNo: number;
  pageSize: number;
}

/** A column of the query, or an expression over it. */
type Term<DB, TB extends keyof DB> = StringReference<DB, TB> | RawBuilder<unknown>;
/** Of a column that may be empty: what is empty comes last, also from the greatest down. */
type Order<DB, TB extends keyof DB> = readonly (readonly [Term<DB, TB>, Direction | 'desc nulls last'])[];

interface Last<DB, TB extends keyof DB, Ask> {
  of: Term<DB, TB> | ((ask: Ask) => Term<DB, TB>);
  groups: readonly (readonly string[])[];
}

/** A condition that a filter's value puts on the rows; undefined: this value limits nothing. */
type Condition<DB, TB extends keyof DB, Value, Ask> = (
  eb: ExpressionBuilder<DB, TB>,
  value: Value,
  ask: Ask,
) => Expression<SqlBool> | undefined;

type SortKeyOf<C> =
  CheckedInputOf<C> extends { orderBy?: infer Orders } ? (NonNullable<Orders> extends `${infer Key} ${Direction}` ? Key : never) : never;

/** A list says what it can be sorted by, or why it stands in its own order alone, as one that is continued by a cursor does. */
type Sorting<C extends ListCall, DB, TB extends keyof DB> = C extends { shape: 'cursor' }
  ? { sorts?: never; unsorted?: never }
  : [SortKeyOf<C>] extends [never]
    ? { sorts?: never; unsorted: string }
    : {
        /**
         * What the call's sort keys mean. Each is a column that is never empty and has an index, for which the id is enough where
         * rows are written in its order. Of a bounded list it may be any column or expression, empty ones last either way, or
         * what `select` computes under that name, `sql.ref('storeCount')`, unless that counts long tables for each row.
         */
        sorts: { readonly [Key in SortKeyOf<C>]: Term<DB, TB> };
        unsorted?: never;
      };

interface ListSpec<C extends ListCall, DB, TB extends keyof DB, Raw> {
  /**
   * Every filter of the call is answered here: by the column that must equal its value (or one of its values), or by a
   * condition. A filter that is absent or empty limits nothing.
   */
  where: {
    readonly [Key in keyof FilterOf<C>]-?: StringReference<DB, TB> | Condition<DB, TB, NonNullable<FilterOf<C>[Key]>, ListAsk<FilterOf<C>>>;
  };
  /** What limits the rows where a filter is not given. */
  absent?: { readonly [Key in keyof FilterOf<C>]?: (eb: ExpressionBuilder<DB, TB>, ask: ListAsk<FilterOf<C>>) => Expression<SqlBool> };
  /** Unique column that ends every order. */
  id: StringReference<DB, TB>;
  /** The list's own order in front of the id; absent: the newest id first. */
  order?: Order<DB, TB> | ((ask: ListAsk<FilterOf<C>>) => Order<DB, TB>);
  /**
   * States that come after all others in the list's own order, a group after the other: what is over stands last, what never began before
   * it. Of a long list there is an index on the same expression and the order.
   */
  last?: Last<DB, TB, ListAsk<FilterOf<C>>>;
  /**
   * Position of a row: the values of the list's order, the id last. A call of shape `cursor` has it, for lists that grow
   * while they are read; their order has one direction.
   */
  position?(row: OutputOf<C>): readonly (string | number)[];
  /** Where the total is not shown: a page counts no further than it reads. */
  uncounted?(ask: ListAsk<FilterOf<C>>): Promise<boolean>;
  /** Why the list never holds more than some thousands of rows, so that it may be sorted without an index. */
  bounded?: string;
  select(query: SelectQueryBuilder<DB, TB, object>, ask: ListAsk<FilterOf<C>>): SelectQueryBuilder<DB, TB, Raw>;
  /** Rows as the call answers them. */
  present(rows: Raw[], ask: ListAsk<FilterOf<C>>): Promise<OutputOf<C>[]> | OutputOf<C>[];
}

/** A part of a list in one of its orders. */
interface Choice {
  orderBy?: string | undefined;
  /** One page alone. */
  page?: Paging | undefined;
}

/** The part that a page asks for: by its number, or what follows the last row of the page before. */
type PageChoice = Paging & Pick<Choice, 'orderBy'> & { cursor?: string | undefined };

/** One declared list: its page, its counts, all of its rows; the source of its export is made of it (`listExport`). */
export interface List<C extends ListCall, DB, TB extends keyof DB> {
  call: C;
  handler: Handler;
  /** Rows of the filters within what the viewer sees; for sums and counts beside the list. */
  matching(ask: ListAsk<FilterOf<C>>): Promise<SelectQueryBuilder<DB, TB, object>>;
  page(ask: ListAsk<FilterOf<C>>, choice: PageChoice): Promise<CursorPage<OutputOf<C>>>;
  /** Exact, also beyond what the list's page counts. */
  count(ask: ListAsk<FilterOf<C>>): Promise<number>;
  /** Rows in the list's order, a thousand at a time. `ask.db` must be a transaction. */
  rows(ask: ListAsk<FilterOf<C>>, choice?: Choice): AsyncGenerator<OutputOf<C>[]>;
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const equals = (column: string, value: unknown) =>
  Array.isArray(value) ? sql<SqlBool>`${sql.ref(column)} = any(${value})` : sql<SqlBool>`${sql.ref(column)} = ${value}`;

/** Of a million rows this many are met too rarely on the way down an index. */
const FEW = 1_000;

/** Which group of the last ones a row's state belongs to, 0 for the others. Literals, for an index knows no parameters. */
function lastGroupOf(state: RawBuilder<unknown>, groups: readonly (readonly string[])[]): RawBuilder<number> {
  const cases = groups.map((codes, at) => sql`when ${state} in (${sql.join(codes.map((code) => sql.lit(code)))}) then ${sql.lit(at + 1)}`);
  return sql<number>`case ${sql.join(cases, sql` `)} else 0 end`;
}

type From<C extends ListCall, DB, TB extends keyof DB> = (
  ask: ListAsk<FilterOf<C>>,
) => SelectQueryBuilder<DB, TB, object> | Promise<SelectQueryBuilder<DB, TB, object>>;

/**
 * Declares a list once; query, counts, page, chunks of its export and sorting follow from it:
 * `listOf(queryXList).from(({ db, staff }) => xSeen(db, staff)).with({ where, id, select, present })`.
 * `from` answers tables and joins with the rows that this viewer may see, without columns and order.
 * A page sends two statements, and what `present` asks for.
 */
export const listOf = <C extends ListCall>(call: C) => ({
  from: <DB, TB extends keyof DB>(from: From<C, DB, TB>) => ({
    with: <Raw>(spec: ListSpec<C, DB, TB, Raw> & Sorting<C, DB, TB>): List<C, DB, TB> => makeList(call, from, spec),
  }),
});

function makeList<C extends ListCall, DB, TB extends keyof DB, Raw>(
  call: C,
  from: From<C, DB, TB>,
  spec: ListSpec<C, DB, TB, Raw> & { sorts?: Readonly<Record<string, Term<DB, TB>>> | undefined },
): List<C, DB, TB> {
  if (call.kind !== 'query') throw new Error(`${call.name} is declared as ${call.kind} and implemented as a list`);
  if ((call.shape === 'cursor') !== (spec.position !== undefined) || (spec.position && (spec.sorts ?? spec.last)))
    throw new Error(`${call.name} is continued by a cursor exactly if its list knows the position of a row, in one order`);
  type Ask = ListAsk<FilterOf<C>>;
  type Query = SelectQueryBuilder<DB, TB, object>;
  type Key = keyof FilterOf<C>;
  const keys = Object.keys(spec.where) as Key[];

  async function matching(ask: Ask): Promise<Query> {
    let query = await from(ask);
    for (const key of keys) {
      const value = ask.filter[key];
      if (!isGiven(value)) {
        const absent = spec.absent?.[key];
        if (absent) query = query.where((eb) => absent(eb, ask));
        continue;
      }
      const limit = spec.where[key];
      query = query.where(
        (eb) =>
          (typeof limit === 'function' ? limit(eb, value as NonNullable<typeof value>, ask) : equals(String(limit), value)) ?? eb.lit(true),
      );
    }
    return query;
  }

  function orderOf(ask: Ask, orderBy: string | undefined): Order<DB, TB> {
    if (orderBy !== undefined) {
      const { key, direction } = splitOrder(orderBy);
      // The call's schema lets declared keys through alone.
      const term = spec.sorts?.[key];
      // What is empty comes last either way, where no index decides.
      if (term) return [[term, direction === 'desc' && spec.bounded !== undefined ? 'desc nulls last' : direction]];
    }
    return typeof spec.order === 'function' ? spec.order(ask) : (spec.order ?? []);
  }

  const refOf = (term: Term<DB, TB>): RawBuilder<unknown> => (typeof term === 'string' ? sql.ref(term) : term);

  const termsOf = (ask: Ask, orderBy: string | undefined): Order<DB, TB> => {
    const order = orderOf(ask, orderBy);
    const whole: Order<DB, TB> = [...order, [spec.id, order.at(-1)?.[1] === 'asc' ? 'asc' : 'desc']];
    if (orderBy !== undefined || !spec.last) return whole;
    const { of, groups } = spec.last;
    return [[lastGroupOf(refOf(typeof of === 'function' ? of(ask) : of), groups), 'asc'], ...whole];
  };

  /** The rows behind the one that the cursor names. */
  function behind(query: Query, ask: Ask, cursor: string): Query {
    const terms = termsOf(ask, undefined);
    const last = sql.join(decodeCursor(cursor, terms.length));
    const position = sql.join(terms.map(([term]) => refOf(term)));
    return query.where(terms[0]?.[1] === 'asc' ? sql<SqlBool>`(${position}) > (${last})` : sql<SqlBool>`(${position}) < (${last})`);
  }

  /** @param few ordered by no index's order: few rows of a long table are found by their filters and sorted */
  function ordered<O>(
    query: SelectQueryBuilder<DB, TB, O>,
    ask: Ask,
    orderBy: string | undefined,
    few: boolean,
  ): SelectQueryBuilder<DB, TB, O> {
    return termsOf(ask, orderBy).reduce(
      (made, [term, direction]) =>
        made.orderBy(
          few && spec.bounded === undefined ? sql`greatest(${refOf(term)})` : refOf(term),
          direction === 'desc nulls last' ? (item) => item.desc().nullsLast() : direction,
        ),
      query,
    );
  }

  /** Whether the same question left few rows when it was last asked. */
  const wasFew = new RecentAnswers<boolean>();

  /** The page and how many rows there are; in one round trip where it is known already which plan the page needs. */
  async function countedPage(ask: Ask, query: Query, offset: number, pageOf: (few: boolean) => SelectQueryBuilder<DB, TB, Raw>) {
    const question = JSON.stringify([ask.filter, ask.staff.userId, ask.staff.scope]);
    const supposed = wasFew.get(question);
    const count = { compile: () => countUpTo(query) };
    const [[counted], early] =
      supposed === undefined ? await readTogether(ask.db, [count]) : await readTogether(ask.db, [count, pageOf(supposed)]);
    const { total } = counted!;
    const few = total <= FEW;
    wasFew.set(question, few);
    if (early) return { found: early, total };
    return { found: offset < total ? await pageOf(few).execute() : [], total };
  }

  async function page(ask: Ask, { pageNo, pageSize, orderBy, cursor }: PageChoice): Promise<CursorPage<OutputOf<C>>> {
    const offset = cursor ? 0 : offsetOf({ pageNo, pageSize });
    const query = await matching(ask);
    // Of a list without filters for somebody who sees everything the page size is a literal in the SQL text: its plan depends on no
    // parameter then, and PostgreSQL keeps it. With filters the plan must follow what is asked for.
    const everything = Object.values({ ...ask.filter, ...ask.staff.scope }).every((value) => !isGiven(value) || value === false);
    const counts = !(await spec.uncounted?.(ask));
    // One row more says whether there is a next page.
    const size = spec.position || !counts ? pageSize + 1 : pageSize;
    const part = cursor ? behind(query, ask, cursor) : query;
    const pageOf = (few: boolean) => {
      const sized = ordered(spec.select(part, ask), ask, orderBy, few).limit(everything ? sql.lit(size) : size);
      return offset === 0 && everything ? sized : sized.offset(offset);
    };
    const { found, total } = counts ? await countedPage(ask, query, offset, pageOf) : { found: await pageOf(false).execute(), total: null };
    const rows = await spec.present(found.slice(0, pageSize), ask);
    const last = rows.at(-1);
    return {
      rows,
      total: total ?? offset + found.length,
      ...(found.length > pageSize && last && spec.position && { nextCursor: encodeCursor(spec.position(last)) }),
    };
  }

  const count = async (ask: Ask): Promise<number> => countOf(ask.db, await matching(ask));

  async function* rows(ask: Ask, { orderBy, page: part }: Choice = {}): AsyncGenerator<OutputOf<C>[]> {
    const all = ordered(spec.select(await matching(ask), ask), ask, orderBy, false);
    const query = part ? all.limit(part.pageSize).offset(offsetOf(part)) : all;
    for await (const found of rowsOf<Raw>(ask.db, query)) yield await spec.present(found, ask);
  }

  const handler: Handler = {
    mode: 'query',
    call,
    bounded: spec.bounded ?? null,
    last: spec.last?.groups.flat() ?? [],
    exact: keys.filter((key) => typeof spec.where[key] === 'string' || isWhole(spec.where[key])).map(String),
    run(input, ctx: QueryContext) {
      // The pipeline has checked the input with the schema of this very call.
      const { pageNo, pageSize, orderBy, cursor, ...filter } = input as PageChoice & FilterOf<C>;
      return page(
        { db: ctx.db, staff: ctx.staff, now: ctx.now, today: ctx.today, filter: filter as FilterOf<C>, has: ctx.has },
        { pageNo, pageSize, orderBy, cursor },
      );
    },
  };
  return { call, handler, matching, page, count, rows };
}

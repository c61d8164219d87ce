import { CompiledQuery, sql } from 'kysely';
import type { Call } from '#kernel/contract/call.ts';
import { factsOf, fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import { sortKeysOf } from '#kernel/contract/sorting.ts';
import { everyone, type Viewer } from '#kernel/server/auth/viewer.ts';
import type { QueryContext, Staff } from '#kernel/server/context.ts';
import { createDb, type DbPool } from '#kernel/server/database/pool.ts';
import type { ExportSource } from '#kernel/server/exporting/source.ts';
import type { Handler } from '#kernel/server/handler.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { plainKeys, shown, type Row } from './listCells.ts';
import type { TestApp } from './testApp.ts';

/** Of a list that has more, only its beginning is looked at. */
const MOST = 100;
const PAGE = 7;

type QueryHandler = Extract<Handler, { mode: 'query' }>;
export type SortedList = QueryHandler & { bounded: string | null };
type ListSource = ExportSource & { list: Call };
interface Statement {
  text: string;
  parameters: readonly unknown[];
}
interface Page {
  rows: Row[];
  total: number;
}
interface Plan {
  'Node Type': string;
  'Parent Relationship'?: string;
  Plans?: Plan[];
}

/** Whether the rows themselves are sorted; what a column looks up for one row may be. */
const isSorted = (plan: Plan): boolean =>
  plan['Node Type'] === 'Sort' ||
  (plan.Plans ?? []).some((part) => !/SubPlan|InitPlan/.test(part['Parent Relationship'] ?? '') && isSorted(part));

/** As of a long list: the order by which few rows are sorted by themselves is an index's there. */
const withoutGreatest = (text: string): string => text.replaceAll(/greatest\(((?:[^()]|\([^()]*\))*)\)/g, '$1');

const isEmpty = (value: unknown) => value === null || value === undefined;
const texts = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row));
const same = (some: readonly string[], others: readonly string[]) => JSON.stringify(some) === JSON.stringify(others);

/** What is shown, where it goes up as the order does: a name stands by its pinyin, a code in the order of the database's letters. */
function comparable(list: Call, key: string, rows: readonly Row[]): (number | string | null)[] | null {
  const kind = factsOf(list.output, key).kind;
  const values = rows.map((row) => row[key]);
  if (kind === 'number' || kind === 'money' || kind === 'rate') return values.map((value) => (isEmpty(value) ? null : Number(value)));
  if (values.some((value) => !isEmpty(value) && typeof value !== 'string')) return null;
  const shown = values as (string | null)[];
  const isCode = shown.every((value) => value === null || /^[A-Z]*\d+$/.test(value));
  return kind === 'day' || kind === 'time' || isCode ? shown : null;
}

/** Empty ones last, the others one way. */
function goes(values: readonly (number | string | null)[], up: boolean): boolean {
  const given = values.filter((value) => value !== null);
  return (
    values.slice(given.length).every((value) => value === null) &&
    given.every((value, at) => at === 0 || value === given[at - 1] || value > given[at - 1]! === up)
  );
}

/** Asks declared lists in their orders as pages and exports do, without HTTP, and looks at what was sent to the database. */
export class SortedLists {
  private readonly statements: Statement[] = [];
  private readonly watched: DbPool;
  private readonly app: TestApp;
  private readonly ctx: Pick<QueryContext, 'now' | 'today' | 'has'> & { staff: Viewer };
  private emptyColumns: ReadonlySet<string> | null = null;

  constructor(app: TestApp) {
    this.app = app;
    this.watched = createDb(app.database.address, {
      log: silentLogger,
      max: 1,
      onStatement: (text, parameters) => this.statements.push({ text, parameters }),
    });
    this.ctx = { now: app.clock.now(), today: app.clock.today(), has: () => true, staff: everyone };
  }

  close = () => this.watched.close();

  private async page(list: SortedList, input: object): Promise<Page> {
    // A list asks for no more than this of its request.
    return (await list.run(list.call.input.parse(input), { ...this.ctx, db: this.watched.db } as QueryContext)) as Page;
  }

  /** What is wrong with an order of a list; null: nothing. */
  async fault(list: SortedList, source: ListSource | undefined, input: object, key: string): Promise<string | null> {
    const schema = shapeOf(list.call.output)[key];
    if (!schema || !fieldFacts(schema)) return 'no column has this key';
    const found: Page[] = [];
    for (const direction of ['asc', 'desc'] as const) {
      const asked = { ...input, orderBy: `${key} ${direction}` };
      this.statements.length = 0;
      const first = await this.page(list, { ...asked, pageNo: 1, pageSize: MOST });
      const fault = list.bounded === null ? await this.indexFault() : null;
      if (fault) return `${direction}: ${fault}`;
      const values = comparable(list.call, key, first.rows);
      if (values && !goes(values, direction === 'asc')) return `${direction}: ${JSON.stringify(values)}`;
      const part = texts(first.rows.slice(PAGE, 2 * PAGE));
      const next = await this.page(list, { ...asked, pageNo: 2, pageSize: PAGE });
      if (!same(texts(next.rows), part)) return `${direction}: page 2 does not follow page 1`;
      const sheet = source && next.rows.length > 0 ? await this.exportFault(source, asked, next.rows) : null;
      if (sheet) return `${direction}: ${sheet}`;
      found.push(first);
    }
    const [up, down] = [found[0]!, found[1]!];
    if (up.total > MOST) return null;
    const split = (rows: Row[]) => [rows.filter((row) => !isEmpty(row[key])), rows.filter((row) => isEmpty(row[key]))] as const;
    const [given, empty] = split(up.rows);
    return same(texts(down.rows), texts([...given.toReversed(), ...empty.toReversed()])) ? null : 'down is not the other way round than up';
  }

  /** Whether a page of the list in its own order is read off an index. */
  async ownOrderFault(list: QueryHandler, input: object): Promise<string | null> {
    this.statements.length = 0;
    await list.run(list.call.input.parse({ ...input, pageNo: 1, pageSize: PAGE }), { ...this.ctx, db: this.watched.db } as QueryContext);
    const page = this.statements.find(({ text }) => text.includes(' order by ') && text.includes(' limit '));
    if (!page) return null;
    const plan = await this.planOf({ ...page, text: withoutGreatest(page.text) });
    return isSorted(plan) ? `no index has its own order: ${page.text.slice(page.text.lastIndexOf(' order by '))}` : null;
  }

  /** An order of a long list is one of an index, and of a column that is never empty: it alone goes both ways alike. */
  private async indexFault(): Promise<string | null> {
    const page = this.statements.find(({ text }) => text.includes(' order by ') && text.includes(' limit '));
    if (!page) return null;
    // Few rows are sorted by themselves; of a long list they are not few.
    const text = withoutGreatest(page.text);
    const [, alias, column] = /^"(\w+)"\."(\w+)"/.exec(text.slice(text.lastIndexOf(' order by ') + ' order by '.length)) ?? [];
    const table = new RegExp(`"(\\w+)" as "${alias}"`).exec(text)?.[1] ?? alias;
    if (column && (await this.mayBeEmpty()).has(`${table}.${column}`)) return `${table}.${column} may be empty`;
    const plan = await this.planOf({ ...page, text });
    return isSorted(plan) ? `no index has this order: ${JSON.stringify(plan['Node Type'])}` : null;
  }

  private async mayBeEmpty(): Promise<ReadonlySet<string>> {
    if (!this.emptyColumns) {
      const { rows } = await sql<{ name: string }>`
        select c.relname || '.' || a.attname as name
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          where a.attnum > 0 and not a.attnotnull and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(
        this.app.db,
      );
      this.emptyColumns = new Set(rows.map(({ name }) => name));
    }
    return this.emptyColumns;
  }

  /** The plan of a page where PostgreSQL may neither sort nor read a whole table, if it can help it. */
  private async planOf({ text, parameters }: Statement): Promise<Plan> {
    return this.watched.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_sort = off`.execute(tx);
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
      );
      return rows[0]!['QUERY PLAN'][0].Plan;
    });
  }

  /** Page 2 of the sheet against that of the screen. */
  private async exportFault(source: ListSource, filter: object, rows: Row[]): Promise<string | null> {
    const keys = plainKeys(source, rows[0]!);
    const staff: Viewer & Pick<Staff, 'permissions'> = {
      ...everyone,
      permissions: new Set(this.app.kernel.registry.permissions.map(({ code }) => code)),
    };
    const cells: unknown[][] = [];
    await this.watched.db.transaction().execute(async (db) => {
      // A list's export asks for no more than this of who exports.
      const reading = { db, now: this.ctx.now, filter, staff: staff as Staff };
      for await (const chunk of source.chunks(reading, keys, { pageNo: 2, pageSize: PAGE })) cells.push(...chunk);
    });
    const lines = cells.map((line) => Object.fromEntries(line.map((cell, at) => [keys[at]!, cell])));
    return JSON.stringify(shown(lines, keys)) === JSON.stringify(shown(rows, keys)) ? null : 'another order in the sheet';
  }
}

export const isSortedList = (handler: Handler): handler is SortedList =>
  handler.mode === 'query' && handler.bounded !== undefined && sortKeysOf(handler.call.input).size > 0;

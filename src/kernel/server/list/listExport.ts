import type { Call, CheckedInputOf, OutputOf } from '../../contract/call.ts';
import { factsOf, fieldFacts, shapeOf, shownValue, type FieldFacts, type FieldKind } from '../../contract/field.ts';
import { dayOf } from '../../contract/time.ts';
import { chosenCells, type Cell, type CellKind, type ExportColumn, type ExportReading, type ExportSource } from '../exporting/source.ts';
import type { FilterOf, List, ListAsk, ListCall } from './listOf.ts';

type Keys<T> = keyof T & string;
/** Fields of the row, and of the objects that it holds: `patient.name`. */
type PathOf<Row> =
  | Keys<Row>
  | {
      [Key in Keys<Row>]: NonNullable<Row[Key]> extends readonly unknown[]
        ? never
        : NonNullable<Row[Key]> extends object
          ? `${Key}.${Keys<NonNullable<Row[Key]>>}`
          : never;
    }[Keys<Row>];
/** A labelled field of the row by its path, or a column of its own. */
type ColumnChoice<Row, Wide> = PathOf<Row> | ExportColumn<Wide>;

interface ListExportSpec<C extends ListCall, E extends Call, Wide> {
  /** Declared with `exportOf(list)`, so that it takes the list's filters. */
  call: E;
  title: string;
  routeKey: string;
  /** Columns in order; absent: every labelled field of the row. */
  columns?: readonly ColumnChoice<OutputOf<C>, Wide>[];
  /** Facts that only the export shows (numbers in full for a plain export). */
  widen?(rows: OutputOf<C>[], ask: ListAsk<FilterOf<C>>): Promise<Wide[]> | Wide[];
  describe?(filter: CheckedInputOf<E>): string;
}

const cellKinds: Readonly<Record<FieldKind, CellKind>> = {
  text: 'text',
  number: 'int',
  money: 'money',
  rate: 'bp',
  day: 'day',
  month: 'text',
  time: 'instant',
  flag: 'flag',
  image: 'text',
  dict: 'text',
  dicts: 'text',
};

/** Pixels of a table's column as characters of a sheet's. */
export const characters = (pixels: number) => Math.max(10, Math.round(pixels / 8));

const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String).join('、') : JSON.stringify(value);
};

const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce((within, key) => (within as Readonly<Record<string, unknown>> | null | undefined)?.[key], row);

/** The column of a labelled field, as the contract declares it. */
export function exportColumn<Row>(key: string, facts: FieldFacts): ExportColumn<Row> {
  const { label, kind, mask, dictionary, width } = facts;
  return {
    key,
    label,
    kind: facts.text ? 'text' : cellKinds[kind],
    ...(width !== undefined && { width: characters(width) }),
    ...(kind === 'time' && width === undefined && { width: 20 }),
    ...(mask && { sensitive: mask }),
    ...(kind === 'dict' && dictionary && { dictionary }),
    value: (row) => cellOf(shownValue(facts, valueAt(row, key))),
  };
}

/** What an export's reading asks of a list. */
export const askOf = <Filter>({ db, staff, now, filter }: ExportReading<Filter>): ListAsk<Filter> => ({
  db,
  staff,
  now,
  today: dayOf(now),
  filter,
  has: (permission) => staff.permissions.has(typeof permission === 'string' ? permission : permission.code),
});

/** The source of a list's export: the list's own rows, order and filters under the labels of its contract. */
export function listExport<C extends ListCall, DB, TB extends keyof DB, E extends Call, Wide extends OutputOf<C> = OutputOf<C>>(
  list: List<C, DB, TB>,
  spec: ListExportSpec<C, E, Wide>,
): ExportSource {
  const { output } = list.call;
  const choice = spec.columns ?? labelledKeys(list.call);
  const columns = choice.map((column) => (typeof column === 'string' ? exportColumn<Wide>(column, factsOf(output, column)) : column));
  const labels = columns.map(({ label }) => label);
  const twice = labels.find((label, at) => labels.indexOf(label) !== at);
  if (twice !== undefined) throw new Error(`${spec.call.name} has two columns ${twice}`);
  const { access } = spec.call;
  // The export's schema contains the list's filters.
  const typed = (reading: ExportReading) => askOf(reading as ExportReading<FilterOf<C>>);
  return {
    call: spec.call,
    list: list.call,
    title: spec.title,
    routeKey: spec.routeKey,
    permission: access.kind === 'permission' ? access.code : 'session',
    columns,
    describe: (filter) => spec.describe?.(filter as CheckedInputOf<E>) ?? '',
    count: (reading) => list.count(typed(reading)),
    async *chunks(reading, keys, page) {
      const ask = typed(reading);
      const { orderBy } = reading.filter as { orderBy?: string };
      const cells = chosenCells(columns, keys);
      for await (const rows of list.rows(ask, { orderBy, page })) {
        const wide = spec.widen ? await spec.widen(rows, ask) : (rows as Wide[]);
        yield wide.map(cells);
      }
    },
  };
}

const labelledKeys = <C extends ListCall>(call: C): (keyof OutputOf<C> & string)[] =>
  Object.entries(shapeOf(call.output)).flatMap(([key, schema]) => (fieldFacts(schema) ? [key as keyof OutputOf<C> & string] : []));

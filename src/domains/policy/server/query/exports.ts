import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { TypedKind } from '#kernel/contract/rules/groups.ts';
import { exportSource, Shown, type Cell, type CellKind, type ExportColumn } from '#kernel/server/exporting/source.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { characters } from '#kernel/server/list/listExport.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { exportQueryTable } from '../../contract/calls/query.ts';
import { policyErrors } from '../../contract/errors.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { aggregations, datasets, MOST_EXPORTED, type Aggregation, type DatasetCode, type QueryConfig } from '../../contract/query.ts';
import { compile, type Chosen, type Question } from './compile.ts';
import type { QueryColumn } from './dataset.ts';
import { datasetOf } from './datasets.ts';

const CHUNK = 1_000;
const SHORTEST_REASON = 5;
type Row = ReadonlyMap<string, Cell>;

const cellKinds: Readonly<Record<TypedKind, CellKind>> = {
  NUMBER: 'int',
  MONEY: 'money',
  DATE: 'day',
  OPTION: 'text',
  SET: 'text',
  TEXT: 'text',
  BOOL: 'flag',
};
const keyOf = (dataset: string, { key }: Pick<QueryColumn, 'key'>, agg: Aggregation | undefined) =>
  [dataset, key, ...(agg ? [agg] : [])].join('.');
const labelOf = ({ label }: QueryColumn, agg: Aggregation | undefined) => (agg ? `${label}（${aggregations.label(agg)}）` : label);

function sheetColumn(dataset: string, column: QueryColumn, agg?: Aggregation): ExportColumn<Row> {
  const key = keyOf(dataset, column, agg);
  const counts = agg === 'COUNT' || agg === 'COUNT_DISTINCT';
  return {
    key,
    label: labelOf(column, agg),
    kind: counts ? 'int' : cellKinds[column.kind],
    width: characters(column.width),
    ...(!agg && column.sensitive && { sensitive: column.sensitive.mask }),
    ...(!counts && column.dictionary && { dictionary: column.dictionary }),
    value: (row) => row.get(key),
  };
}

/** All columns that a sheet may have; a question names which of them it has. */
const columns = datasets.codes.flatMap((code) =>
  datasetOf[code].columns.flatMap((column) => [
    sheetColumn(code, column),
    ...column.aggregations.map((agg) => sheetColumn(code, column, agg)),
  ]),
);

export const EXPORT_TITLE = '保费信息';
export const EXPORT_ROUTE = 'queryTable';

const keysOf = (dataset: string, chosen: readonly Chosen[]) => chosen.map(({ column, agg }) => keyOf(dataset, column, agg));
/** Columns of the sheet that a question makes. @throws Refusal SCM13070, SCM13072 */
export const columnKeys = (dataset: DatasetCode, config: QueryConfig, by: Question): string[] => [
  ...new Set(keysOf(dataset, compile(datasetOf[dataset], config, by).chosen)),
];

/** A value of a sensitive column: in plain as it is, else as it is kept for everybody to see. */
const cellOf = ({ column, agg }: Chosen, value: string | null, raw: boolean, secrets: Secrets): Cell => {
  if (value === null || agg || !column.sensitive) return value;
  return raw ? secrets.decrypt(value) : new Shown(value.includes('*') ? value : mask(column.sensitive.mask, value));
};

/**
 * The sheet has the columns of the question, in its order.
 * @throws Refusal SCM13070, SCM13072, SCM13074 unmasked without a reason, SCM13075 above 200,000 rows
 */
export const queryExport = ({ secrets }: Pick<Kernel, 'secrets'>) =>
  exportSource({
    call: exportQueryTable,
    title: EXPORT_TITLE,
    routeKey: EXPORT_ROUTE,
    permission: may['query.export'].code,
    plainPermission: may['query.exportRaw'].code,
    columns,
    chosen({ dataset, config, masked, reason }, ctx) {
      if (!masked) {
        ctx.requirePermission(may['query.exportRaw']);
        if ((reason ?? '').length < SHORTEST_REASON) throw refuse(policyErrors.EXPORT_REASON_MISSING);
      }
      return {
        columns: columnKeys(dataset, config, { viewer: ctx.staff, today: ctx.today }),
        ...(!masked && { plain: true, plainReason: reason ?? '' }),
      };
    },
    // As wide as they stand on the page and are kept with the view.
    widths: ({ dataset, config }) =>
      new Map(
        config.columns.flatMap(({ key, agg, width }) => (width === undefined ? [] : [[keyOf(dataset, { key }, agg), characters(width)]])),
      ),
    async count({ db, staff, filter: { dataset, config }, now }) {
      const asked = compile(datasetOf[dataset], config, { viewer: staff, today: dayOf(now) });
      const { rows } = await asked.found(MOST_EXPORTED).execute(db);
      const found = rows[0]?.found ?? 0;
      if (found > MOST_EXPORTED) throw refuse(policyErrors.EXPORT_TOO_LARGE);
      return found;
    },
    async *chunks({ db, staff, filter: { dataset, config, masked }, now }) {
      const asked = compile(datasetOf[dataset], config, { viewer: staff, today: dayOf(now) });
      const named = keysOf(dataset, asked.chosen);
      // A cursor reads the rows once; pages of them would sort all rows for each page.
      await sql`declare policy_query no scroll cursor for ${asked.rows(!masked)}`.execute(db);
      for (;;) {
        const { rows } = await sql`fetch ${sql.lit(CHUNK)} from policy_query`.$castTo<Record<string, string | null>>().execute(db);
        if (rows.length > 0)
          yield rows.map(
            (row): Row => new Map(asked.chosen.map((one, at) => [named[at] ?? '', cellOf(one, row[`c${at}`] ?? null, !masked, secrets)])),
          );
        if (rows.length < CHUNK) break;
      }
      await sql`close policy_query`.execute(db);
    },
  });

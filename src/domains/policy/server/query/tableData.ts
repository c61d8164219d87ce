import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { sql } from 'kysely';
import { queryDatasetList, queryTableData, type DatasetOut, type QueryColumnOut } from '../../contract/calls/query.ts';
import { policyErrors } from '../../contract/errors.ts';
import { datasets, MOST_SEEN, type DatasetCode } from '../../contract/query.ts';
import { compile, optionsOf } from './compile.ts';
import type { QueryColumn } from './dataset.ts';
import { datasetOf } from './datasets.ts';

const LONGEST_MS = 15_000;
const CANCELLED = '57014';

/**
 * Reads within one read-only moment, at most so long.
 * @throws Refusal SCM13071
 */
export async function withinTime<T>(
  { snapshot }: Pick<Kernel['transactions'], 'snapshot'>,
  work: (db: Db) => Promise<T>,
  longestMs = LONGEST_MS,
): Promise<T> {
  try {
    return await snapshot(async (db) => {
      await sql`select set_config('statement_timeout', ${String(longestMs)}, true)`.execute(db);
      return work(db);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === CANCELLED) throw refuse(policyErrors.QUERY_TOO_LONG);
    throw error;
  }
}

const shownColumn = (column: QueryColumn): QueryColumnOut => ({
  key: column.key,
  label: column.label,
  kind: column.kind,
  unit: column.unit,
  width: column.width,
  options: optionsOf(column),
  operators: [...column.operators],
  aggregations: [...column.aggregations],
  groups: column.groups,
  sensitive: column.sensitive !== undefined,
});

export const shownDataset = (code: DatasetCode): DatasetOut => ({
  code,
  label: datasets.label(code),
  asOf: datasetOf[code].asOf,
  columns: datasetOf[code].columns.map(shownColumn),
});

export const datasetList = query(queryDatasetList, async () => ({ datasets: datasets.codes.map(shownDataset) }));

/**
 * Pages are counted off, to the 10,000th row: an order may be by anything that is computed, which no index holds, so each page reads and
 * sorts the same rows whatever it begins with. Of 500,000 receipts in the order of their payers page 1 took 0.52 s (0.13 s of it
 * its rows, the rest count and sums), page 100 0.60 s (0.20 s).
 */
export const tableData = ({ transactions }: Pick<Kernel, 'transactions'>) =>
  query(queryTableData, async ({ dataset, config, pageNo, pageSize }, { staff, today }) => {
    const skipped = (pageNo - 1) * pageSize;
    if (skipped >= MOST_SEEN) throw refuseField('pageNo', '最多翻看前10000条，请导出或缩小范围');
    const asked = compile(datasetOf[dataset], config, { viewer: staff, today });
    const started = performance.now();
    return withinTime(transactions, async (db) => {
      const { rows } = await asked.rows(false, { take: pageSize, skip: skipped }).execute(db);
      const { rows: found } = await asked.facts.execute(db);
      const facts = found[0];
      const keys = asked.chosen.map((_one, at) => `c${at}`);
      return {
        rows: rows.map((row) => keys.map((key) => row[key] ?? null)),
        totals: keys.map((key) => facts?.[key] ?? null),
        totalRecordCount: facts?.found ?? 0,
        ms: Math.round(performance.now() - started),
      };
    });
  });

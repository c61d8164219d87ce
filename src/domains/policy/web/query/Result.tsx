import { useMemo } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { queryTableData, type DatasetOut } from '../../contract/calls/query.ts';
import type { QueryConfig } from '../../contract/query.ts';
import { columnOf, titleOf } from '../../contract/queryWords.ts';
import { withoutWidths, type Asked } from './question.ts';

interface Row {
  id: string;
  cells: readonly (string | null)[];
}
type Chosen = QueryConfig['columns'][number];

const MOST_ROWS_OF_PAGE = 50;
export interface Page {
  pageNo: number;
  pageSize: number;
}
export const firstPage: Page = { pageNo: 1, pageSize: MOST_ROWS_OF_PAGE };

/** A column of the answer; its place is its name, since a column may stand there several times. */
function shownColumn(dataset: DatasetOut, chosen: Chosen, at: number): Column<Row> {
  const { agg, key } = chosen;
  const column = columnOf(dataset, key);
  const common = { key: String(at), title: titleOf(dataset, chosen), width: chosen.width ?? column?.width ?? 120 };
  const value = ({ cells }: Row) => cells[at] ?? null;
  if (agg === 'COUNT' || agg === 'COUNT_DISTINCT') return { ...common, value, align: 'right' };
  switch (column?.kind) {
    case 'MONEY':
      return { ...common, kind: 'money', value };
    case 'NUMBER':
      return { ...common, value, align: 'right' };
    case 'DATE':
      return { ...common, kind: 'day', value };
    case 'BOOL':
      return { ...common, value: (row) => (value(row) === null ? null : value(row) === 'true' ? '是' : '否') };
    case 'OPTION':
      return { ...common, value: (row) => column.options.find((one) => one.value === value(row))?.label ?? value(row) };
    default:
      return { ...common, value };
  }
}

interface ResultProps {
  dataset: DatasetOut;
  config: QueryConfig;
  page: Page;
  onPage(page: Page): void;
  onWidth(at: number, width: number): void;
  /** A click on a header: ascending, descending, as it was. */
  onSort(at: number): void;
  answer: ReturnType<typeof useAnswer>;
}

/** The answer to what was asked; nothing is asked before somebody asks. */
export const useAnswer = (asked: Asked | null, page: Page) =>
  useData(
    queryTableData,
    { dataset: asked?.dataset ?? 'policy', config: withoutWidths(asked?.config ?? { columns: [], groupBy: [], sort: [] }), ...page },
    { enabled: asked !== null, quiet: true, fresh: 60_000 },
  );

/** Rows, their count and sums, and how long it took. */
export function Result({ dataset, config, page, onPage, onWidth, onSort, answer }: ResultProps) {
  const { data, error, fetching, refetch } = answer;
  const columns = useMemo(() => config.columns.map((one, at) => shownColumn(dataset, one, at)), [dataset, config.columns]);
  const rows = useMemo(() => data?.rows.map((cells, at) => ({ id: String(at), cells })), [data]);
  const setting = useMemo(() => ({ order: columns.map(({ key }) => key) }), [columns]);
  const places = useMemo(() => new Set(columns.map(({ key }) => key)), [columns]);
  const [first] = config.sort;
  const sortedAt = first ? config.columns.findIndex((one) => one.key === first.key && one.agg === first.agg) : -1;
  const sums = (data?.totals ?? []).flatMap((sum, at) => {
    const chosen = config.columns[at];
    if (sum === null || !chosen) return [];
    const isMoney = columnOf(dataset, chosen.key)?.kind === 'MONEY' && chosen.agg !== 'COUNT';
    return [`${titleOf(dataset, chosen)} ${isMoney ? `¥${yuan(sum, true)}` : sum}`];
  });
  return (
    <>
      <DataTable<Row>
        columns={columns}
        rows={error ? [] : rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有符合条件的数据，请调整筛选条件"
        arrangement={{
          setting,
          onChange: ({ widths }) => {
            for (const [at, width] of Object.entries(widths ?? {})) onWidth(Number(at), width);
          },
        }}
        sorting={{
          keys: places,
          orderBy: sortedAt === -1 ? undefined : `${sortedAt} ${first?.descending ? 'desc' : 'asc'}`,
          onSort: (key) => onSort(Number(key)),
        }}
        paging={{ ...page, total: data?.totalRecordCount ?? 0, onChange: (pageNo, pageSize) => onPage({ pageNo, pageSize }) }}
      />
      {data && (
        <div className="pol-totals" role="status">
          {sums.length > 0 && <span>合计：{sums.join('，')}</span>}
          <span className="kq-muted">用时 {data.ms} 毫秒</span>
        </div>
      )}
    </>
  );
}

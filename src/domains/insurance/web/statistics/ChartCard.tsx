import { Button, Segmented } from 'antd';
import { useState, type ReactNode } from 'react';
import type { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { statPermissions } from '../../contract/permissions.ts';
import type { ExportView } from '../../contract/statistics/calls.ts';
import { Chart } from './Chart.tsx';
import type { ChartSpec, ChartTable } from './spec.ts';

interface ChartCardProps {
  title: string;
  view: ExportView;
  of: Pick<ReturnType<typeof useData>, 'error' | 'refetch'>;
  /** Null: there is nothing to draw. Undefined: it is still read. */
  chart: { spec: ChartSpec | null; table: ChartTable } | undefined;
  onExport(view: ExportView): void;
  onPick?: ((index: number) => void) | undefined;
  /** Rows that stand for no record (claims without an insurer) lead nowhere. */
  pickable?(index: number): boolean;
  extra?: ReactNode;
  wide?: boolean;
  note?: string;
}

function Table({ table, onPick, pickable }: { table: ChartTable } & Pick<ChartCardProps, 'onPick' | 'pickable'>) {
  return (
    <div className="stat-table">
      <table>
        <thead>
          <tr>
            {table.head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>
                  {at === 0 && onPick && pickable?.(index) !== false ? (
                    <button type="button" className="kq-link" onClick={() => onPick(index)}>
                      {cell}
                    </button>
                  ) : (
                    cell
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One chart with its table and its export. */
export function ChartCard({ title, view, of, chart, onExport, onPick, pickable, extra, wide = false, note }: ChartCardProps) {
  const pick = (index: number) => {
    if (pickable?.(index) !== false) onPick?.(index);
  };
  const [shown, setShown] = useState<'CHART' | 'TABLE'>('CHART');
  return (
    <section className={wide ? 'stat-card stat-wide' : 'stat-card'} aria-label={title}>
      <header>
        <h3>{title}</h3>
        <div className="stat-actions">
          {extra}
          {chart?.spec && (
            <Segmented
              size="small"
              value={shown}
              options={[
                { value: 'CHART', label: '图' },
                { value: 'TABLE', label: '表' },
              ]}
              onChange={(value) => setShown(value === 'TABLE' ? 'TABLE' : 'CHART')}
            />
          )}
          <Can permission={statPermissions['stat.export']}>
            <Button size="small" type="link" onClick={() => onExport(view)}>
              导出
            </Button>
          </Can>
        </div>
      </header>
      {!chart && <Waiting for={of} />}
      {chart && chart.table.rows.length === 0 && <div className="kq-empty">所选范围没有数据</div>}
      {chart && chart.table.rows.length > 0 && shown === 'CHART' && chart.spec && (
        <Chart spec={chart.spec} title={title} {...(onPick && { onPick: pick })} />
      )}
      {chart && chart.table.rows.length > 0 && (shown === 'TABLE' || !chart.spec) && (
        <Table table={chart.table} onPick={onPick} {...(pickable && { pickable })} />
      )}
      {note && <p className="kq-muted">{note}</p>}
    </section>
  );
}

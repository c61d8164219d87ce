import { Drawer, Skeleton } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryPerfRelationTimeline } from '../../contract/calls/perfRelations.ts';
import { perfRelationStates } from '../../contract/dictionaries.ts';

type Relation = OutputOf<typeof queryPerfRelationTimeline>['relations'][number];
const columns: readonly Column<Relation>[] = [
  { key: 'agentName', title: '代表', width: 100, required: true },
  { key: 'startDate', title: '开始日期', kind: 'day' },
  { key: 'endDate', title: '结束日期', kind: 'day' },
  { key: 'sourceNo', title: '来源单号', width: 170 },
  { key: 'endNo', title: '结束单号', width: 170 },
  { key: 'state', title: '状态', kind: 'dict', dictionary: perfRelationStates },
];
const colours: Readonly<Record<Relation['state'], string>> = {
  ACTIVE: 'var(--kq-primary)',
  SCHEDULED: 'var(--kq-line)',
  ENDED: 'var(--kq-muted)',
  REVOKED: 'transparent',
};

/** A bar for each relation between the first day and the last one. */
function Bars({ relations }: { relations: readonly Relation[] }) {
  const shown = relations.filter(({ state }) => state !== 'REVOKED');
  if (shown.length === 0) return null;
  const today = todayHere();
  const first = shown.reduce((least, { startDate }) => (startDate < least ? startDate : least), today);
  const last = shown.reduce((most, { startDate, endDate }) => [most, startDate, endDate ?? most].toSorted().at(-1)!, today);
  const length = Math.max(1, daysBetween(first, last) + 30);
  const place = (day: string) => (daysBetween(first, day) / length) * 100;
  return (
    <div role="img" aria-label="时间轴" style={{ position: 'relative', height: 28, marginBlockEnd: 8, background: 'var(--kq-panel)' }}>
      {shown.map(({ id, agentName, startDate, endDate, state }) => (
        <span
          key={id}
          title={`${agentName}　${startDate} 至 ${endDate ?? '今'}`}
          style={{
            position: 'absolute',
            insetBlock: 2,
            insetInlineStart: `${place(startDate)}%`,
            width: `${(endDate === null ? 100 : place(endDate)) - place(startDate)}%`,
            background: colours[state],
            color: state === 'SCHEDULED' ? 'inherit' : '#fff',
            overflow: 'hidden',
            whiteSpace: 'nowrap',
            padding: '0 6px',
            borderInlineEnd: '2px solid #fff',
          }}
        >
          {agentName}
        </span>
      ))}
    </div>
  );
}

/** Who had a doctor, a line of bars for each product line. */
export function Timeline({ doctorId, onClose }: { doctorId: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryPerfRelationTimeline, { doctorId }, { quiet: true });
  const lines = [...Map.groupBy(data?.relations ?? [], ({ lineName }) => lineName)];
  return (
    <Drawer open title={data ? `绩效关系时间轴 ${data.doctorName}` : '绩效关系时间轴'} size="min(920px, 94vw)" onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        lines.map(([lineName, relations]) => (
          <Section key={lineName} title={lineName}>
            <Bars relations={relations} />
            <DataTable rows={relations} columns={columns} rowKey="id" height="auto" />
          </Section>
        ))
      )}
    </Drawer>
  );
}

import { Button, Drawer, Segmented } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { lazy, useState } from 'react';
import { daysBetween } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  changeProductLineState,
  delProductLine,
  exportProductLineList,
  queryProductLineList,
  type LineRow,
} from '../../contract/calls/lines.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { lineMachine } from '../../contract/states.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';
import '../pharma.css';

const LineBindings = lazy(async () => ({ default: (await import('./LineBindings.tsx')).LineBindings }));
const LineForm = lazy(async () => ({ default: (await import('./LineForms.tsx')).LineForm }));
const RenewForm = lazy(async () => ({ default: (await import('./LineForms.tsx')).RenewForm }));

const WARN_DAYS = 60;
const isLate = (line: LineRow) => line.state !== 'STOPPED' && line.daysLeft < WARN_DAYS;

/** How much of the cooperation is over; red when less than 60 days are left. */
function Term({ line }: { line: LineRow }) {
  const whole = Math.max(1, daysBetween(line.startDate, line.endDate));
  const done = Math.min(100, Math.max(0, Math.round(((whole - line.daysLeft) / whole) * 100)));
  return (
    <span title={line.daysLeft >= 0 ? `剩余${line.daysLeft}天` : `已过期${-line.daysLeft}天`}>
      <span className="kq-number">
        {line.startDate} 至 {line.endDate}
      </span>
      <div className={isLate(line) ? 'ph-term ph-term-late' : 'ph-term'}>
        <i style={{ width: `${done}%` }} />
      </div>
    </span>
  );
}

const lines = resource(queryProductLineList, {
  routeKey: 'pharmaceuticalEnterprisesProductLine',
  empty: '没有符合条件的产品线，请调整筛选条件或点击“新增产品线”',
  filters: [optionFilter('companyId', 'COMPANY'), 'name', 'therapyArea', 'state', { name: 'expireWithin', placeholder: '多少天内到期' }],
  columns: [
    { key: 'lineNo', width: 170, required: true },
    { key: 'name', width: 160, required: true },
    { key: 'companyName', width: 120 },
    { key: 'therapyArea', width: 100 },
    { key: 'diseases', width: 160, value: (row) => row.diseases.map((disease) => disease.diseaseName).join('、') },
    { key: 'medicineCount', width: 80 },
    { key: 'agentCount', width: 80 },
    { key: 'term', title: '合作期', kind: 'custom', width: 220, render: (row) => <Term line={row} /> },
    { key: 'ownerName', width: 110 },
    'state',
  ],
});

/** First days of the quarters within a span. */
function quartersBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
  return Array.from(
    { length: (last - first + 1) * 4 },
    (_, index) => `${first + Math.floor(index / 4)}-${String((index % 4) * 3 + 1).padStart(2, '0')}-01`,
  ).filter((day) => day >= from && day <= to);
}

/** Terms of cooperation side by side; the red line is today. */
function Gantt({ rows }: { rows: readonly LineRow[] }) {
  if (rows.length === 0) return <div className="kq-empty">没有符合条件的产品线</div>;
  const from = rows.reduce((least, row) => (row.startDate < least ? row.startDate : least), rows[0]!.startDate);
  const to = rows.reduce((most, row) => (row.endDate > most ? row.endDate : most), rows[0]!.endDate);
  const span = Math.max(1, daysBetween(from, to));
  const today = daysBetween(from, rows[0]!.endDate) - rows[0]!.daysLeft;
  const share = (days: number) => `${(days / span) * 100}%`;
  const quarters = quartersBetween(from, to);
  // At most a dozen marks: of long spans every second or fourth quarter.
  const marks = quarters.filter((_, index) => index % Math.ceil(quarters.length / 12) === 0);
  return (
    <div className="ph-gantt">
      <div className="ph-gantt-row ph-gantt-head">
        <span />
        <div>
          {marks.map((day) => (
            <em key={day} style={{ left: share(daysBetween(from, day)) }}>
              {day.slice(0, 7)}
            </em>
          ))}
          {today >= 0 && today <= span && <b style={{ left: share(today) }}>今天</b>}
        </div>
      </div>
      {rows.map((row) => (
        <div key={row.id} className="ph-gantt-row">
          <span title={`${row.companyName} · ${row.name}`}>
            {row.companyName} · {row.name}
          </span>
          <div title={`${row.startDate} 至 ${row.endDate}`}>
            <i
              className={isLate(row) ? 'ph-late' : ''}
              style={{ left: share(daysBetween(from, row.startDate)), width: share(daysBetween(row.startDate, row.endDate)) }}
            />
            <u style={{ left: share(today) }} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** /pharmaceuticalEnterprisesProductLine 药企产品线. */
export default function ProductLines() {
  const layers = useLayers();
  const [view, setView] = useState<'list' | 'gantt'>('list');
  const stop = useCommand(changeProductLineState, { success: '终止成功!', refreshes: [queryProductLineList] });
  const remove = useCommand(delProductLine, { success: SERVER_MESSAGE, refreshes: [queryProductLineList] });
  const actions: readonly RowAction<LineRow>[] = [
    {
      label: '编辑',
      permission: may['line.edit'],
      when: (line) => lineMachine.canStart('modify', line.state),
      act: (line) => layers.open((close) => <LineForm line={line} onClose={close} />),
    },
    { label: '药品', act: (line) => layers.open((close) => <LineBindings lineId={line.id} tab="medicines" onClose={close} />) },
    { label: '代表', act: (line) => layers.open((close) => <LineBindings lineId={line.id} tab="agents" onClose={close} />) },
    {
      label: '续约',
      permission: may['line.state'],
      when: (line) => lineMachine.canStart('renew', line.state),
      act: (line) => layers.open((close) => <RenewForm line={line} onClose={close} />),
    },
    {
      label: '终止',
      permission: may['line.state'],
      danger: true,
      when: (line) => lineMachine.canStart('stop', line.state),
      act: async (line) => {
        const opinion = await confirmWithOpinion({
          title: '终止',
          content: `终止后不能恢复，确定要终止产品线${line.name}吗?`,
          facts: factsIn(queryProductLineList.output, line, ['lineNo', 'companyName', 'medicineCount', 'agentCount', 'endDate']),
          danger: true,
          opinion: 'required',
        });
        if (opinion !== null) await stop.run({ id: line.id, version: line.version, action: 'stop', opinion });
      },
    },
    {
      label: '删除',
      permission: may['line.edit'],
      danger: true,
      when: (line) => line.state === 'DRAFT',
      act: async (line) => {
        if (await confirmDelete(`产品线“${line.name}”`, [`${line.medicineCount}个药品、${line.agentCount}名代表的绑定一并删除`]))
          await remove.run({ id: line.id, version: line.version });
      },
    },
    { label: '操作轨迹', act: (line) => layers.open((close) => <LineBindings lineId={line.id} tab="trail" onClose={close} />) },
  ];
  return (
    <>
      <ResourceList
        of={lines}
        actions={actions}
        toolbar={(list) => (
          <>
            <Can permission={may['line.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <LineForm line={null} onClose={close} />)}>
                新增产品线
              </Button>
            </Can>
            <ExportButton call={exportProductLineList} view={list} permission={may['line.export']} />
            <Segmented
              size="small"
              value={view}
              onChange={(next) => setView(next as 'list' | 'gantt')}
              options={[
                { value: 'list', label: '列表' },
                { value: 'gantt', label: '甘特图' },
              ]}
            />
            {view === 'gantt' && <GanttLayer rows={list.rows} onClose={() => setView('list')} />}
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

/** The chart of the rows that the list shows. */
function GanttLayer({ rows, onClose }: { rows: readonly LineRow[]; onClose(): void }) {
  return (
    <Drawer open placement="bottom" size="70vh" title="合作期甘特图（当前列表）" onClose={onClose}>
      <Gantt rows={rows} />
    </Drawer>
  );
}

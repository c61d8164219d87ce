import { Tag, Tooltip } from 'antd';
import { copyText } from '#kernel/web/feedback/copy.ts';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { pageAt } from '#kernel/web/router/pages.ts';
import { exportMachine } from '../../contract/states.ts';
import { progressText } from '../exporting/progressText.ts';
import type { ExportTask } from './exportActions.ts';
import { Expiry, fileSize } from './format.tsx';
import { ProgressCell } from './ProgressCell.tsx';

const RUNS = new Set(['QUEUED', 'RUNNING']);

/** Address of the list that was exported, with the same filters; null when it has no page. */
function pageOf(task: ExportTask) {
  const path = `/${task.routeKey.split(':')[0]}`;
  return path !== '/downloadList' && pageAt(path) ? { path, search: task.params } : null;
}

/** State, with bar and remaining time while it runs; the reason of a failure is whole when it is pointed at or focused. */
function State({ task }: { task: ExportTask }) {
  if (task.state === 'FAILED') {
    return (
      <Tooltip
        trigger={['hover', 'focus']}
        title={
          <>
            {task.errorMessage}
            <br />
            追踪号 {task.traceId}
            <button type="button" className="kq-link" onClick={() => void copyText(task.traceId)}>
              复制
            </button>
          </>
        }
      >
        <span tabIndex={0}>
          <ProgressCell of={exportMachine.dictionary} state={task.state} progressBp={null} hint="" />
        </span>
      </Tooltip>
    );
  }
  return (
    <ProgressCell
      of={exportMachine.dictionary}
      state={task.state}
      progressBp={task.state === 'RUNNING' ? task.progressBp : null}
      text={RUNS.has(task.state) ? progressText(task) : undefined}
    />
  );
}

export const exportColumns: readonly ColumnChoice<ExportTask>[] = [
  { key: 'taskNo', width: 164, required: true },
  {
    key: 'name',
    width: 240,
    render: (task) => (
      <span title={task.name}>
        {task.plain && (
          <Tooltip title={`明文导出：${task.plainReason ?? ''}`}>
            <Tag color="error" className="kq-plain-tag">
              明文
            </Tag>
          </Tooltip>
        )}
        {task.name}
      </span>
    ),
  },
  { key: 'state', width: 330, required: true, render: (task) => <State task={task} /> },
  { key: 'sourceTitle', width: 140, to: pageOf },
  { key: 'filterText', width: 200 },
  { key: 'format', plain: true, width: 70 },
  { key: 'rows', title: '行数', kind: 'number', width: 90, value: (task) => (task.rowCount ?? task.rowsTotal)?.toLocaleString('en-US') },
  { key: 'fileSize', width: 90, align: 'right', value: (task) => fileSize(task.fileSize) },
  'createdAt',
  'finishedAt',
  {
    key: 'expiresAt',
    width: 120,
    render: (task) => <Expiry at={task.state === 'FAILED' ? null : task.expiresAt} expired={task.state === 'EXPIRED'} />,
  },
  { key: 'downloadCount', width: 90 },
];

/** 全部任务 adds who asked for it. */
export const allExportColumns: readonly ColumnChoice<ExportTask>[] = [
  ...exportColumns.slice(0, 2),
  { key: 'createdName', width: 100 },
  { key: 'roleName', width: 120 },
  ...exportColumns.slice(2),
];

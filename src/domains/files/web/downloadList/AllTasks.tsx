import { useMemo, useRef } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { cancelExportTask, queryExportTaskList } from '../../contract/calls/exports.ts';
import { queryStorageUsage } from '../../contract/calls/objects.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { allExportColumns } from './exportColumns.tsx';
import { type ExportTask, useExportActions } from './exportActions.ts';
import { fileSize } from './format.tsx';
import { exportFilters } from './MyExports.tsx';
import { useLiveList } from './useLiveList.ts';

const allTasks = resource(queryExportTaskList, {
  routeKey: 'downloadList:all',
  rowKey: 'taskId',
  columns: allExportColumns,
  filters: ['createdBy', ...exportFilters],
  empty: '没有符合条件的导出任务',
});

const everybody = { mine: false } as const;
const USAGE_MS = 10_000;

/** Header line for who manages tasks. */
function Usage() {
  const { data } = useData(queryStorageUsage, {}, { every: USAGE_MS, quiet: true });
  if (!data) return null;
  return (
    <div className="kq-download-head">
      <span>
        {data.kind === 'disk' ? (
          <>
            磁盘用量 <b>{fileSize(data.usedBytes)}</b>
          </>
        ) : (
          '存储桶（S3）'
        )}
      </span>
      <span>
        今日导出 <b>{data.exportsToday}</b>
      </span>
      <span>
        排队 <b>{data.queued}</b>
      </span>
      <span>
        生成中 <b>{data.running}</b>
      </span>
    </div>
  );
}

const isOpen = (task: ExportTask) => task.state === 'QUEUED' || task.state === 'RUNNING';

/** Tab 全部任务. */
export function AllTasks() {
  const exportActions = useExportActions();
  const latest = useRef(exportActions);
  latest.current = exportActions;
  useLiveList({ export: true }, queryExportTaskList);
  const actions = useMemo(
    () => [
      { label: '下载', when: (task: ExportTask) => task.state === 'SUCCESS', act: (task: ExportTask) => latest.current.download(task) },
      { label: '取消', permission: filePermissions['task.manage'], when: isOpen, act: (task: ExportTask) => latest.current.cancel(task) },
    ],
    [],
  );
  return (
    <ResourceList
      of={allTasks}
      fixed={everybody}
      actions={actions}
      actionWidth={110}
      above={
        <Can permission={filePermissions['task.manage']}>
          <Usage />
        </Can>
      }
      batch={[
        {
          label: '批量取消',
          danger: true,
          permission: filePermissions['task.manage'],
          nameOf: (task) => `${task.name}（${task.createdName}）`,
          when: isOpen,
          each: (task) => send(cancelExportTask, { taskId: task.taskId, version: task.version }, { quiet: true }),
        },
      ]}
    />
  );
}

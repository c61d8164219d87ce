import { todayHere } from '#kernel/web/form/today.ts';
import { Alert, Modal } from 'antd';
import { useMemo, useRef } from 'react';
import { webConfig } from '#kernel/web/config.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { send } from '#kernel/web/http/client.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useChosen } from '#kernel/web/kit/selection.ts';
import type { Selection } from '#kernel/web/kit/selection.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { CopyText } from '#kernel/web/kit/Outcome.tsx';
import { cancelExportTask, exportDemoBigData, queryExportTaskList, revealExportPassword } from '../../contract/calls/exports.ts';
import { useExport } from '../exporting/useExport.tsx';
import { exportColumns } from './exportColumns.tsx';
import { type ExportTask, fetchResult, useExportActions } from './exportActions.ts';
import { useLiveList } from './useLiveList.ts';

/** The last seven days. */
const week = () => {
  const today = todayHere();
  return [plusDays(today, -6), today];
};

export const exportFilters = [
  'name',
  'source',
  'state',
  { kind: 'instants', names: ['from', 'to'], label: '创建时间', fallback: week },
] as const;

const myExports = resource(queryExportTaskList, {
  routeKey: 'downloadList',
  rowKey: 'taskId',
  columns: exportColumns,
  filters: exportFilters,
  empty: '近7天没有导出任务。在任意列表页点击“导出”，超过5000行的结果会出现在这里',
});

const mine = { mine: true } as const;
const can =
  (...states: ExportTask['state'][]) =>
  (task: ExportTask) =>
    states.includes(task.state);

/** Keys for the task that is ticked. */
function SelectionKeys({
  selection,
  onDownload,
  onRetry,
}: {
  selection: Selection<ExportTask>;
  onDownload(task: ExportTask): void;
  onRetry(task: ExportTask): void;
}) {
  const [task] = useChosen(selection);
  useKeys([
    { keys: 'D', label: '下载选中的任务', act: () => task?.state === 'SUCCESS' && onDownload(task) },
    { keys: 'R', label: '重试选中的任务', act: () => task?.state === 'FAILED' && onRetry(task) },
  ]);
  return null;
}

/** The password of an encrypted file, this once. */
const PasswordShown = ({ password, onClose }: { password: string; onClose(): void }) => (
  <Modal open title="文件密码" footer={null} onCancel={onClose} width={420}>
    <Alert type="warning" showIcon title="密码仅显示这一次，关闭后不能再查看" />
    <p className="kq-secret">
      <CopyText>{password}</CopyText>
    </p>
  </Modal>
);

/** Tab 我的导出. */
export function MyExports() {
  const exportActions = useExportActions();
  const demo = useExport(exportDemoBigData);
  const layers = useLayers();
  const reveal = useCommand(revealExportPassword, {
    refreshes: [queryExportTaskList],
    onSuccess: ({ data }) => layers.open((close) => <PasswordShown password={data.password} onClose={close} />),
  });
  useLiveList({ export: true }, queryExportTaskList);
  const latest = useRef(exportActions);
  latest.current = exportActions;
  const actions = useMemo(
    () => [
      { label: '下载', when: can('SUCCESS'), act: (task: ExportTask) => latest.current.download(task) },
      {
        label: '查看密码',
        when: (task: ExportTask) => task.state === 'SUCCESS' && task.encrypted && !task.passwordShown,
        act: async (task: ExportTask) => {
          if (
            await ask({
              title: '查看密码',
              content: '文件密码只能查看一次，请查看后妥善保存，是否继续?',
              facts: factsIn(queryExportTaskList.output, task, ['taskNo', 'name', 'createdAt']),
            })
          )
            await reveal.run({ taskId: task.taskId });
        },
      },
      { label: '取消', when: can('QUEUED', 'RUNNING'), act: (task: ExportTask) => latest.current.cancel(task) },
      { label: '重试', when: can('FAILED'), act: (task: ExportTask) => latest.current.retry(task) },
      { label: '再次导出', when: can('SUCCESS', 'EXPIRED', 'FAILED', 'CANCELLED'), act: (task: ExportTask) => latest.current.rerun(task) },
    ],
    [reveal],
  );
  return (
    <>
      <ResourceList
        of={myExports}
        fixed={mine}
        actions={actions}
        batch={[
          { label: '批量下载', nameOf: (task) => task.name, when: can('SUCCESS'), each: (task) => fetchResult(task, true) },
          {
            label: '批量取消',
            danger: true,
            nameOf: (task) => task.name,
            when: can('QUEUED', 'RUNNING'),
            each: (task) => send(cancelExportTask, { taskId: task.taskId, version: task.version }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <SelectionKeys
              selection={view.selection}
              onDownload={(task) => void exportActions.download(task)}
              onRetry={(task) => void exportActions.retry(task)}
            />
            {webConfig().mode !== 'production' && (
              <button type="button" className="kq-link" disabled={demo.busy} onClick={() => void demo.run({ rows: 50_000 })}>
                演示：导出5万行
              </button>
            )}
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

import { useMemo, useRef } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { download } from '#kernel/web/http/download.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { cancelImportTask, commitImportTask, downloadImportResult, queryImportTaskList } from '../../contract/calls/imports.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { importMachine } from '../../contract/states.ts';
import { useUndo } from '../importing/UndoButton.tsx';
import { ProgressCell } from './ProgressCell.tsx';
import { useLiveList } from './useLiveList.ts';

type ImportTask = OutputOf<typeof queryImportTaskList>;

const RUNS = new Set<string>(['VALIDATING', 'COMMITTING']);
const grouped = (...counts: number[]) => counts.map((count) => count.toLocaleString('en-US')).join(' / ');

function stateText(task: ImportTask): string | undefined {
  if (task.state === 'VALIDATING') return `校验中 ${Math.floor(task.progressBp / 100)}%`;
  if (task.state === 'COMMITTING') return `提交中 ${Math.floor(task.progressBp / 100)}%，${grouped(task.rowsDone)}行`;
  return task.errorMessage ?? undefined;
}

const columns: readonly ColumnChoice<ImportTask>[] = [
  { key: 'batchNo', width: 164, required: true },
  { key: 'importerLabel', width: 120 },
  { key: 'fileName', width: 200 },
  {
    key: 'state',
    width: 270,
    required: true,
    render: (task) => (
      <ProgressCell
        of={importMachine.dictionary}
        state={task.state}
        progressBp={RUNS.has(task.state) ? task.progressBp : null}
        text={stateText(task)}
      />
    ),
  },
  {
    key: 'rows',
    title: '总行数/正确/错误/警告',
    width: 190,
    align: 'right',
    value: (task) => grouped(task.totalRows, task.okRows, task.errorRows, task.warnRows),
  },
  {
    key: 'plan',
    title: '新增/变更/无变化',
    width: 160,
    align: 'right',
    value: (task) => grouped(task.newRows, task.changedRows, task.sameRows),
  },
  { key: 'createdName', width: 100 },
  'createdAt',
  { key: 'undoUntil', kind: 'time', value: (task) => (task.state === 'DONE' ? task.undoUntil : null) },
];

const imports = resource(queryImportTaskList, {
  routeKey: 'downloadList:imports',
  rowKey: 'importTaskId',
  columns,
  filters: ['batchNo', 'state', 'createdBy', { kind: 'instants', names: ['from', 'to'], label: '提交时间' }],
  empty: '暂无导入任务。在可以导入的列表页点击“导入”，提交的批次会出现在这里',
});

/** Tab 导入任务: one's own; of everybody for who may see all tasks. */
export function ImportTasks() {
  const may = useMay();
  const { open, shown } = useLayers();
  useLiveList({ import: true }, queryImportTaskList);
  const refreshes = [queryImportTaskList];
  const commit = useCommand(commitImportTask, { refreshes, success: '已提交，正在写入', blockMs: 1_000 });
  const cancel = useCommand(cancelImportTask, { refreshes, success: '已取消', blockMs: 500 });
  const undo = useUndo(() => void refresh(queryImportTaskList));
  const commands = { commit, cancel, undo };
  const latest = useRef(commands);
  latest.current = commands;
  const actions = useMemo(
    () => [
      {
        label: '查看',
        act: ({ importerCode, importTaskId }: ImportTask) =>
          open((close) => (
            <ImportWizard
              importerCode={importerCode}
              importTaskId={importTaskId}
              open
              onClose={close}
              onChanged={() => void refresh(queryImportTaskList)}
            />
          )),
      },
      {
        label: '提交',
        when: (task: ImportTask) => task.mayCommit,
        act: async (task: ImportTask) => {
          const content =
            task.state === 'INVALID'
              ? `只写入正确的${task.okRows}行，有错误的${task.errorRows}行不会写入，是否继续?`
              : `将新增${task.newRows}行、变更${task.changedRows}行，是否继续?`;
          if (
            await ask({
              title: '确认提交',
              content,
              facts: factsIn(queryImportTaskList.output, task, ['batchNo', 'importerLabel', 'fileName', 'createdName']),
            })
          ) {
            await latest.current.commit.run({ importTaskId: task.importTaskId, version: task.version }, { idempotencyKey: newKey() });
          }
        },
      },
      {
        label: '下载结果',
        when: (task: ImportTask) => task.hasResult,
        act: (task: ImportTask) => download(downloadImportResult, { importTaskId: task.importTaskId }).catch(() => null),
      },
      { label: '整批撤销', danger: true, when: (task: ImportTask) => task.mayUndo, act: (task: ImportTask) => latest.current.undo(task) },
      {
        label: '取消',
        when: (task: ImportTask) => ['VALIDATING', 'READY', 'INVALID', 'FAILED'].includes(task.state),
        act: async (task: ImportTask) => {
          if (
            await ask({
              content: `确定要取消批次 ${task.batchNo} 吗?`,
              facts: factsIn(queryImportTaskList.output, task, ['importerLabel', 'fileName', 'createdName']),
            })
          )
            await latest.current.cancel.run({ importTaskId: task.importTaskId, version: task.version });
        },
      },
    ],
    [open],
  );
  const fixed = useMemo(() => ({ mine: !may(filePermissions['task.viewAll']) }), [may]);
  return (
    <>
      <ResourceList of={imports} fixed={fixed} actions={actions} />
      {shown}
    </>
  );
}

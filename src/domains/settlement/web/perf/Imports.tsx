import type { ReactNode } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { download } from '#kernel/web/http/download.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { downloadImportResult, queryImportTaskList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { PERF_BIND_IMPORTER } from '../../contract/calls/perfChanges.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { perfReads } from './reads.ts';

type Task = OutputOf<typeof queryImportTaskList>;
const imports = resource(queryImportTaskList, {
  routeKey: 'importBind',
  rowKey: 'importTaskId',
  empty: '还没有导入记录',
  filters: ['batchNo', 'state', 'createdBy', { kind: 'instants', names: ['from', 'to'], label: '提交时间' }],
  columns: [
    { key: 'batchNo', required: true },
    'fileName',
    'totalRows',
    'errorRows',
    'newRows',
    'changedRows',
    'sameRows',
    'createdName',
    'createdAt',
    { key: 'undoUntil', kind: 'time', value: (task) => (task.state === 'DONE' ? task.undoUntil : null), hidden: true },
    'state',
  ],
});
const OF_BINDINGS = { importerCode: PERF_BIND_IMPORTER, mine: false } as const;

/** Every table of bindings, what became of it, and the way back. */
export function Imports({ toolbar }: { toolbar?: ReactNode }) {
  const layers = useLayers();
  const undo = useCommand(undoImportTask, { success: '整批已撤销', refreshes: [queryImportTaskList, ...perfReads] });
  const show = ({ importTaskId }: Task) =>
    layers.open((close) => (
      <ImportWizard
        importerCode={PERF_BIND_IMPORTER}
        importTaskId={importTaskId}
        open
        onClose={close}
        onChanged={() => void refresh(queryImportTaskList, ...perfReads)}
      />
    ));
  const takeBack = async (task: Task) => {
    const opinion = await confirmWithOpinion({
      title: '整批撤销',
      danger: true,
      label: '撤销原因',
      content: `将撤销批次 ${task.batchNo} 产生的全部变更单，恢复导入前的绑定关系。任何一条已有后续变更时整批都不会撤销。`,
      facts: factsIn(queryImportTaskList.output, task, ['batchNo', 'fileName', 'createdName', 'createdAt']),
    });
    if (opinion !== null) await undo.run({ importTaskId: task.importTaskId, version: task.version, opinion });
  };
  const actions: readonly RowAction<Task>[] = [
    { label: '查看', permission: may['perf.import'], act: show },
    {
      label: '变更单',
      permission: may['perf.view'],
      when: ({ state }) => state === 'DONE' || state === 'UNDONE',
      act: ({ batchNo }) => goTo('/perfRelatedChange', { sourceNo: batchNo }),
    },
    {
      label: '下载标注文件',
      when: ({ hasResult }) => hasResult,
      act: ({ importTaskId }) => download(downloadImportResult, { importTaskId }).catch(() => null),
    },
    { label: '整批撤销', danger: true, permission: may['perf.audit'], when: ({ mayUndo }) => mayUndo, act: takeBack },
  ];
  return (
    <>
      <ResourceList of={imports} fixed={OF_BINDINGS} actions={actions} toolbar={toolbar} />
      {layers.shown}
    </>
  );
}

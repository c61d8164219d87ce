import type { ReactNode } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { queryImportResult, queryImportTaskList, undoImportTask } from '../../contract/calls/imports.ts';

type Task = OutputOf<typeof queryImportTaskList>;

/** Asks what is to be undone and why, then undoes the whole batch. */
export function useUndo(onDone: () => void) {
  const { run } = useCommand(undoImportTask, {
    success: '整批已撤销',
    refreshes: [queryImportTaskList, queryImportResult],
    onSuccess: onDone,
  });
  return async (task: Task) => {
    const opinion = await confirmWithOpinion({
      title: '整批撤销',
      danger: true,
      label: '撤销原因',
      content: `将撤销批次 ${task.batchNo}（${task.importerLabel}）写入的全部数据：删除新增的${task.newRows}行，恢复变更的${task.changedRows}行。任何一行已被使用时整批都不会撤销。`,
      facts: factsIn(queryImportTaskList.output, task, ['batchNo', 'importerLabel', 'fileName', 'createdName', 'createdAt']),
    });
    if (opinion !== null) await run({ importTaskId: task.importTaskId, version: task.version, opinion });
  };
}

export function UndoButton({ task, onDone, children }: { task: Task; onDone(): void; children(undo: () => void): ReactNode }) {
  const undo = useUndo(onDone);
  return <>{children(() => void undo(task))}</>;
}

import type { OutputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { download } from '#kernel/web/http/download.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import {
  cancelExportTask,
  downloadExportFile,
  getExportFileUrl,
  queryExportTaskList,
  rerunExportTask,
  retryExportTask,
} from '../../contract/calls/exports.ts';
import { watchTask } from '../exporting/watchedTasks.ts';

export type ExportTask = OutputOf<typeof queryExportTaskList>;

/** Above this size the browser itself downloads, instead of holding the bytes in memory. */
const IN_MEMORY = 30 * 1024 * 1024;

/** @throws RefusalError, TransportError */
export async function fetchResult(task: ExportTask, quiet = false): Promise<void> {
  if ((task.fileSize ?? 0) <= IN_MEMORY) {
    await download(downloadExportFile, { taskId: task.taskId }, { quiet, fileName: task.name });
    return;
  }
  const { url, fileName } = await send(getExportFileUrl, { taskId: task.taskId }, { quiet });
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

/** What an operator does with one of his tasks. */
export function useExportActions() {
  const refreshes = [queryExportTaskList];
  const cancel = useCommand(cancelExportTask, { refreshes, success: '已取消', blockMs: 500 });
  const retry = useCommand(retryExportTask, { refreshes, success: '已重新排队', blockMs: 500 });
  const rerun = useCommand(rerunExportTask, {
    refreshes,
    success: '已提交导出任务',
    blockMs: 1_000,
    onSuccess: ({ data }) => watchTask({ taskId: data.taskId, title: data.name }),
  });
  return {
    download: async (task: ExportTask) => {
      try {
        await fetchResult(task);
        toast(`已开始下载：${task.name}`);
      } catch (error) {
        if (!(error instanceof RefusalError || error instanceof TransportError)) throw error; // the error law has shown the others
      }
      void refresh(queryExportTaskList);
    },
    cancel: async (task: ExportTask) => {
      if (
        await ask({
          content: `确定要取消导出“${task.name}”吗?`,
          facts: factsIn(queryExportTaskList.output, task, ['taskNo', 'sourceTitle', 'filterText']),
        })
      )
        await cancel.run({ taskId: task.taskId, version: task.version });
    },
    retry: (task: ExportTask) => retry.run({ taskId: task.taskId, version: task.version }),
    rerun: (task: ExportTask) => rerun.run({ taskId: task.taskId, version: task.version }),
  };
}

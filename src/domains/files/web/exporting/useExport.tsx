import type { Call, InputOf } from '#kernel/contract/call.ts';
import type { exportQueued } from '#kernel/contract/exporting.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { refresh } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import type * as z from 'zod/mini';
import { queryExportTaskList } from '../../contract/calls/exports.ts';
import { watchTask } from './watchedTasks.ts';

type Queued = z.output<typeof exportQueued>;

const isQueued = (data: unknown): data is Queued => typeof data === 'object' && data !== null && 'exportTaskId' in data;

/** Sends an export call: a file is saved, a task is followed in the corner. Answers whether it was taken. */
export function useExport(call: Call) {
  const file = useSaveFile(call, { fileName: call.label });
  const run = async (input: Readonly<Record<string, unknown>>): Promise<boolean> => {
    // The caller's list gave the filters, with the types of its own call.
    const answer = await file.save(input as InputOf<Call>);
    if (answer?.kind === 'saved') toast(answer.rows === null ? '导出完成' : `已导出${answer.rows}行`);
    else if (answer && isQueued(answer.data)) {
      watchTask({ taskId: answer.data.exportTaskId, title: call.label });
      void refresh(queryExportTaskList);
      toast(
        <>
          已提交导出任务，完成后可在
          <button type="button" className="kq-link" onClick={() => goTo('/downloadList')}>
            下载中心
          </button>
          下载
        </>,
      );
    }
    return answer !== null;
  };
  return { run, busy: file.busy };
}

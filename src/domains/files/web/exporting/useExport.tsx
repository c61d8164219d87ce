import { useRef, useState } from 'react';
import type { Call, InputOf } from '../../../../kernel/contract/call.ts';
import type { exportQueued } from '../../../../kernel/contract/exporting.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { download } from '../../../../kernel/web/http/download.ts';
import { refresh } from '../../../../kernel/web/http/queries.ts';
import { RefusalError, TransportError } from '../../../../kernel/web/http/refusal.ts';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import type * as z from 'zod/mini';
import { queryExportTaskList } from '../../contract/calls/exports.ts';
import { watchTask } from './watchedTasks.ts';

type Queued = z.output<typeof exportQueued>;

const isQueued = (data: unknown): data is Queued => typeof data === 'object' && data !== null && 'exportTaskId' in data;

/** Sends an export call: a file is saved, a task is followed in the corner. Answers whether it was taken. */
export function useExport(call: Call) {
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  const run = async (input: Readonly<Record<string, unknown>>): Promise<boolean> => {
    if (underWay.current) return false;
    underWay.current = true;
    setBusy(true);
    try {
      // The caller's list gave the filters, with the types of its own call.
      const answer = await download(call, input as InputOf<Call>, { fileName: call.label });
      if (answer.kind === 'saved') {
        toast(answer.rows === null ? '导出完成' : `已导出${answer.rows}行`);
        return true;
      }
      if (isQueued(answer.data)) {
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
      return true;
    } catch (error) {
      if (error instanceof RefusalError || error instanceof TransportError) return false; // the error law has shown it
      throw error;
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return { run, busy };
}

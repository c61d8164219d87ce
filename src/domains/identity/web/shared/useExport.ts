import { useCallback } from 'react';
import type { Call, InputOf } from '../../../../kernel/contract/call.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { download } from '../../../../kernel/web/http/download.ts';
import { useAntiDoubleClick } from '../../../../kernel/web/http/queries.ts';
import { RefusalError, TransportError } from '../../../../kernel/web/http/refusal.ts';

/** Saves what an export call answers, or says that the download centre will hold it. */
export function useExport<C extends Call>(call: C) {
  const { blocked, block } = useAntiDoubleClick();
  const run = useCallback(
    async (input: InputOf<C>) => {
      block();
      try {
        const result = await download(call, input);
        toast(
          result.kind === 'saved' ? `已导出${result.rows === null ? '' : `${result.rows}行`}` : '已提交导出任务，完成后可在下载中心下载',
        );
      } catch (error) {
        // The error law has said why.
        if (!(error instanceof RefusalError) && !(error instanceof TransportError)) throw error;
      }
    },
    [block, call],
  );
  return { run, busy: blocked };
}

import { useState } from 'react';
import type { Call, InputOf } from '../../../../kernel/contract/call.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { download } from '../../../../kernel/web/http/download.ts';
import { RefusalError, TransportError } from '../../../../kernel/web/http/refusal.ts';

/** Saves the file that a call answers. */
export function useExport<C extends Call>(call: C) {
  const [busy, setBusy] = useState(false);
  const run = async (input: InputOf<C>) => {
    setBusy(true);
    try {
      await download(call, input);
      toast('已下载');
    } catch (error) {
      // The error law has said why.
      if (!(error instanceof RefusalError) && !(error instanceof TransportError)) throw error;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy };
}

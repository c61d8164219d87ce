import { download } from '../../../../kernel/web/http/download.ts';
import { RefusalError, TransportError } from '../../../../kernel/web/http/refusal.ts';
import { exportBatchResult } from '../../contract/calls/batches.ts';

/** Saves a list with what was found in it; the error law says why not. */
export async function saveResult(batchId: string, part: 'ERROR' | 'ALL'): Promise<void> {
  try {
    await download(exportBatchResult, { batchId, part });
  } catch (error) {
    if (!(error instanceof RefusalError) && !(error instanceof TransportError)) throw error;
  }
}

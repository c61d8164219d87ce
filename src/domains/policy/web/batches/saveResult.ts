import { saveFile } from '#kernel/web/files/saveFile.ts';
import { exportBatchResult } from '../../contract/calls/batches.ts';

/** Saves a list with what was found in it. */
export const saveResult = (batchId: string, part: 'ERROR' | 'ALL') => saveFile(exportBatchResult, { batchId, part });

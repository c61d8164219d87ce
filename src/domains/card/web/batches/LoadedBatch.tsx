import { useData } from '../../../../kernel/web/http/queries.ts';
import { batchDetails } from '../../contract/calls/batches.ts';
import { EditBatch } from './BatchForms.tsx';

/** The form of a batch, with what it holds now. */
export function LoadedBatch({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useData(batchDetails, { batchId: id });
  return data ? <EditBatch batch={data} onClose={onClose} /> : null;
}

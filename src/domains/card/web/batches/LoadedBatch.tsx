import { FormRecord } from '../../../../kernel/web/form/FormRecord.tsx';
import { batchDetails } from '../../contract/calls/batches.ts';
import { EditBatch } from './BatchForms.tsx';

/** The form of a batch, with what it holds now. */
export const LoadedBatch = ({ id, onClose }: { id: string; onClose(): void }) => (
  <FormRecord call={batchDetails} input={{ batchId: id }} title="修改批次" width={640} onClose={onClose}>
    {(batch) => <EditBatch batch={batch} onClose={onClose} />}
  </FormRecord>
);

import { BatchResult } from '../../../../kernel/web/list/BatchResult.tsx';

export interface Outcome {
  name: string;
  ok: boolean;
  message: string;
}

/** What became of each record of a batch. */
export function ArchiveResult({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose(): void }) {
  return <BatchResult title="批量归档" outcomes={outcomes} total={outcomes.length} running={false} onClose={onClose} />;
}

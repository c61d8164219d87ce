import { lazyDialog } from '../kit/lazyDialog.tsx';

export interface RowOutcome {
  name: string;
  ok: boolean;
  message: string;
}

export interface BatchResultProps {
  title: string;
  outcomes: readonly RowOutcome[];
  total: number;
  running: boolean;
  onClose(): void;
}

/** Result of a batch, row by row, with its progress; fetched by the first one. */
export const BatchResult = lazyDialog<BatchResultProps>(async () => (await import('./BatchResultDialog.tsx')).BatchResultDialog);

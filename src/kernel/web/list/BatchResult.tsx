import { lazyDialog } from '../kit/lazyDialog.tsx';
import type { BatchResultProps } from './rowOutcome.ts';

/** Result of a batch, row by row, with its progress; fetched by the first one. */
export const BatchResult = lazyDialog<BatchResultProps>(async () => (await import('./BatchResultDialog.tsx')).BatchResultDialog);

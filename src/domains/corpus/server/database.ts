import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { CorpusTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<CorpusTables> = handlesOf<CorpusTables>();
export type CorpusDb = ReturnType<typeof own>;
export type CorpusTx = ReturnType<typeof ownTx>;

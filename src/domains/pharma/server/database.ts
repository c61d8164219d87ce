import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { PharmaTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<PharmaTables> = handlesOf<PharmaTables>();
export type PharmaDb = ReturnType<typeof own>;
export type PharmaTx = ReturnType<typeof ownTx>;

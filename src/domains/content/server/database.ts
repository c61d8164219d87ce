import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { ContentTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<ContentTables> = handlesOf<ContentTables>();
export type ContentDb = ReturnType<typeof own>;
export type ContentTx = ReturnType<typeof ownTx>;

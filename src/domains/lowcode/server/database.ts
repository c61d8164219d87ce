import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { LowcodeTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<LowcodeTables> = handlesOf<LowcodeTables>();

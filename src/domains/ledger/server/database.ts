import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { LedgerTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<LedgerTables> = handlesOf<LedgerTables>();

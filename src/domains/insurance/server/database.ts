import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { InsuranceTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<InsuranceTables> = handlesOf<InsuranceTables>();
export type InsuranceDb = ReturnType<typeof own>;
export type InsuranceTx = ReturnType<typeof ownTx>;

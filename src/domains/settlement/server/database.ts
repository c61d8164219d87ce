import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { SettlementTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<SettlementTables> = handlesOf<SettlementTables>();
export { json } from '#kernel/server/database/json.ts';

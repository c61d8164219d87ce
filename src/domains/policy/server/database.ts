import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { PolicyTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<PolicyTables> = handlesOf<PolicyTables>();
export type PolicyDb = ReturnType<typeof own>;

export { json } from '#kernel/server/database/json.ts';

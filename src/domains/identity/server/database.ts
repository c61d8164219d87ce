import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { IdentityTables } from './tables.ts';

export { json } from '#kernel/server/database/json.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<IdentityTables> = handlesOf<IdentityTables>();

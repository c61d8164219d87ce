import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { EnrolmentTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<EnrolmentTables> = handlesOf<EnrolmentTables>();
export { json } from '#kernel/server/database/json.ts';

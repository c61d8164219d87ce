import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { ConsultationTables } from './tables.ts';

export { json } from '#kernel/server/database/json.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<ConsultationTables> = handlesOf<ConsultationTables>();
export type ConsultationDb = ReturnType<typeof own>;
export type ConsultationTx = ReturnType<typeof ownTx>;
export type { ConsultationTables } from './tables.ts';

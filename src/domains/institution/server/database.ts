import { lockKeys as lockKeysOf } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { InstitutionTables } from './tables.ts';

export { json } from '#kernel/server/database/json.ts';

/** Handles narrowed to the tables of this domain. */
export const { own, ownTx }: Handles<InstitutionTables> = handlesOf<InstitutionTables>();
export type InstitutionDb = ReturnType<typeof own>;
export type InstitutionTx = ReturnType<typeof ownTx>;
export type { InstitutionTables } from './tables.ts';

/** Makes writers of equal keys wait for each other, among the keys of this domain. */
export const lockKeys = (tx: Tx | InstitutionTx, keys: readonly (string | null)[]): Promise<void> => lockKeysOf(tx, 'institution', keys);

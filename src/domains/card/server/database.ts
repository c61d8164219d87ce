import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { CardTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<CardTables> = handlesOf<CardTables>();
export type CardDb = ReturnType<typeof own>;

export { json } from '#kernel/server/database/json.ts';

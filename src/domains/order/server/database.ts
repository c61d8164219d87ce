import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { OrderTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<OrderTables> = handlesOf<OrderTables>();

import { handlesOf, type Handles } from '#kernel/server/database/handles.ts';
import type { InvoiceTables } from './tables.ts';

/** Handles narrowed to the tables of this domain. */
export const { own }: Handles<InvoiceTables> = handlesOf<InvoiceTables>();

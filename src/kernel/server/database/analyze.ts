import { sql } from 'kysely';
import type { Tx } from '../context.ts';

/**
 * Tells the planner what a domain's tables hold, while the transaction that filled them is still open: until then it takes them for
 * nearly empty, and joins thousands of rows by loops within loops.
 */
export async function analyzeTables(tx: Tx, domain: string): Promise<void> {
  await sql`select kernel_analyze_tables(${domain})`.execute(tx);
}

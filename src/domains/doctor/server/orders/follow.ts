import { sql } from 'kysely';
import type { Db, Tx } from '../../../../kernel/server/context.ts';

/** Orders of an opening that still need it. */
export async function openOrdersOfOpening(db: Db | Tx, openingId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from doctor_consult_order where opening_id = ${openingId} and state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING')`.execute(db);
  return rows[0]!.n;
}

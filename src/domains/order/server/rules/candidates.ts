import * as z from 'zod/mini';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

const kept = z.array(z.object({ supplierId: z.string(), priority: z.int(), weightPct: z.int() }));
export type KeptCandidate = z.output<typeof kept>[number];

/** Whom a rule asks; null: all suppliers. */
export const candidatesOf = ({ candidates }: { candidates: unknown }): KeptCandidate[] | null =>
  candidates === null ? null : z.parse(kept, candidates);

export async function namesOfSuppliers(db: Db | Tx, candidates: readonly { supplierId: string }[]): Promise<Map<string, string>> {
  if (candidates.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('orderSupplier')
    .select(['id', 'supplierName'])
    .where(
      'id',
      'in',
      candidates.map(({ supplierId }) => supplierId),
    )
    .execute();
  return new Map(rows.map(({ id, supplierName }) => [id, supplierName]));
}

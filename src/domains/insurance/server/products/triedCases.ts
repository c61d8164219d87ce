import * as z from 'zod/mini';
import type { Tx } from '#kernel/server/context.ts';
import type { TriedCase } from '../../contract/tests/readiness.ts';
import { ownTx } from '../database.ts';

const trace = z.object({ paidBenefits: z.array(z.string()), heldRules: z.array(z.string()) });

/** The test cases of a version with what their last runs left behind. */
export async function triedCases(tx: Tx, productVersionId: string): Promise<TriedCase[]> {
  const rows = await ownTx(tx)
    .selectFrom('insuranceRuleTestCase')
    .select(['active', 'lastResult', 'lastContentHash', 'lastActual'])
    .where('ownerType', '=', 'PRODUCT_VERSION')
    .where('ownerId', '=', productVersionId)
    .execute();
  return rows.map(({ lastActual, ...row }) => {
    const known = z.safeParse(trace, lastActual);
    return { ...row, ...(known.success ? known.data : { paidBenefits: [], heldRules: [] }) };
  });
}

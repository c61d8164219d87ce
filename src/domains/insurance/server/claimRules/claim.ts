import * as z from 'zod/mini';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { ruleFired } from '../../contract/adjudication/result.ts';
import { hitScope } from '../controls/hitCounts.ts';
import { own } from '../database.ts';

const decided = z.object({ rules: z.array(ruleFired) });

/**
 * The version that a claim is bound to, as its events told, and the rules that fired when it was last decided.
 * @throws Refusal SCM90040
 */
export async function claimRead(db: Db, staff: Viewer, claimId: string) {
  const claim = await own(db)
    .selectFrom('insuranceStatClaim as c')
    .select(['c.claimNo', 'c.productVersionId'])
    .where('c.claimId', '=', claimId)
    .where(hitScope(staff))
    .executeTakeFirst();
  if (!claim || claim.productVersionId === null) throw refuse(platformErrors.NOT_FOUND);
  const last = await own(db)
    .selectFrom('insuranceClaimSnapshot')
    .select('result')
    .where('claimId', '=', claimId)
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst();
  const result = decided.safeParse(last?.result);
  // One that could not be judged did not fire.
  const fired = (result.success ? result.data.rules : []).filter(({ missing }) => missing.length === 0);
  return {
    productVersionId: claim.productVersionId,
    seen: { claimNo: claim.claimNo, fired: fired.map(({ ruleCode, lineNos }) => ({ ruleCode, lineNos })) },
  };
}

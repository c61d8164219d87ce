import * as z from 'zod/mini';
import { json } from '#kernel/server/database/json.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { adjudicationResult } from '../../contract/adjudication/result.ts';
import { storedInput } from '../../contract/adjudication/stored.ts';
import { claimDecided } from '#events/claim.ts';
import { recordClaim } from '../statistics/claims.ts';
import { ownTx } from '../database.ts';

/** What a claim was decided on is kept as it was, once per round; statistics hear of the decision by the same delivery. */
export const decided = consumer('insurance', claimDecided, async (event, ctx) => {
  const { payload } = event;
  const input = storedInput(payload.input, payload.productId);
  const result = z.safeParse(adjudicationResult, payload.result);
  if (input !== null && result.success && payload.decidedAt !== null && !payload.testUser)
    await ownTx(ctx.tx)
      .insertInto('insuranceClaimSnapshot')
      .values({
        claimId: payload.claimId,
        round: payload.round,
        claimNo: payload.claimNo,
        insurerId: payload.insurerId,
        productId: payload.productId,
        productVersionId: payload.productVersionId,
        input: json(input),
        result: json(result.data),
        decidedAt: payload.decidedAt,
        paidFen: String(payload.approvedFen),
      })
      .onConflict((on) => on.columns(['claimId', 'round']).doNothing())
      .execute();
  await recordClaim(ctx, event, result.success ? result.data : null);
});

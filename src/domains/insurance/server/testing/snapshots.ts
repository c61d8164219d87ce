import { plusMs, startOfDay } from '#kernel/contract/time.ts';
import { json } from '#kernel/server/database/json.ts';
import type { TestApp } from '#testing/testApp.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import { own } from '../database.ts';
import type { Draft } from './products.ts';

let counter = 500_000;

/** Claims decided on a day under a version: the n-th of so many boxes. */
export async function decideClaims(
  app: Pick<TestApp, 'db'>,
  { productId, productVersionId }: Pick<Draft, 'productId' | 'productVersionId'>,
  day: string,
  quantities: readonly number[],
): Promise<void> {
  const spec = await specOf(app.db, productVersionId);
  if (!spec) throw new Error('no such version');
  const rows = quantities.map((n) => {
    counter += 1;
    const input = { ...claimOf([boxes(1, '1', n, 10_000)]), at: startOfDay(day) };
    const result = adjudicateOn(spec, [], input);
    return {
      claimId: String(counter),
      round: 1,
      claimNo: `LP${counter}`,
      insurerId: null,
      productId,
      productVersionId,
      input: json(input),
      result: json(result),
      decidedAt: plusMs(startOfDay(day), 3_600_000),
      paidFen: String(result.payableFen),
    };
  });
  for (let from = 0; from < rows.length; from += 1000)
    await own(app.db)
      .insertInto('insuranceClaimSnapshot')
      .values(rows.slice(from, from + 1000))
      .execute();
}

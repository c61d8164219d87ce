import type { Db } from '#kernel/server/context.ts';
import { recomputedOf } from '../../contract/rules/premium.ts';
import type { PolicyRecord, PremiumRecord } from '../access.ts';
import { own } from '../database.ts';
import { termsOf } from './lines.ts';

/** Lines of an order with what each must amount to, from its rate and days. */
export async function recomputedLines(
  db: Db,
  order: Pick<PremiumRecord, 'id' | 'generation' | 'partNo' | 'partOf' | 'reversesOrderId'>,
  policy: PolicyRecord,
) {
  const rows = await own(db)
    .selectFrom('policyPremiumOrderItem as l')
    .innerJoin('policyInsuredItem as i', 'i.id', 'l.insuredItemId')
    .select([
      'l.lineNo',
      'l.insuredItemId',
      'i.name',
      'l.planCode',
      'l.annualPremiumFen',
      'l.dateFrom as from',
      'l.dateTo as to',
      'l.days',
      'l.basis',
      'l.feeFen',
      'l.amountFen',
      'l.calc',
    ])
    .where('l.premiumOrderId', '=', order.id)
    .where('l.generation', '=', order.generation)
    .orderBy('l.lineNo')
    .execute();
  const terms = termsOf(policy);
  const sign = order.reversesOrderId === null ? 1n : -1n;
  return rows.map((row) => ({
    ...row,
    recomputedFen: String(
      sign *
        recomputedOf(
          terms,
          { basis: row.basis, annualFen: BigInt(row.annualPremiumFen), from: row.from, to: row.to, feeFen: BigInt(row.feeFen) },
          { no: order.partNo, of: order.partOf },
        ),
    ),
  }));
}

/** What the whole order must amount to: without its sign, as its own amount stands. */
export function recomputedSum(lines: readonly { recomputedFen: string }[]): bigint {
  const sum = lines.reduce((total, { recomputedFen }) => total + BigInt(recomputedFen), 0n);
  return sum < 0n ? -sum : sum;
}

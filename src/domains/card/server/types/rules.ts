import type { Db, Tx } from '#kernel/server/context.ts';
import type { CouponTerms } from '../../contract/rules/coupons.ts';
import type { UsageLimits, UsageScope } from '../../contract/rules/usage.ts';
import type { Funder } from '../chart.ts';
import { own } from '../database.ts';

export interface CardRules {
  funder: Funder;
  funderName: string;
  stackGroup: string;
  stackable: boolean;
  scope: UsageScope;
  limits: UsageLimits;
  coupon: CouponTerms | null;
  benefits: readonly { benefitId: string; benefitName: string; times: number; perMonthMax: number | null; settlePrice: bigint }[];
  feeRateBp: number;
  refundGraceDays: number;
}
interface Stored {
  stackGroup?: string;
  stackable?: boolean;
  scope?: UsageScope;
  perUseMin?: number | null;
  perUseMax?: number | null;
  perDayMax?: number | null;
  couponRule?: { mode: CouponTerms['mode']; threshold: number; value: number; cap: number | null } | null;
  benefits?: { benefitId: string; benefitName?: string; times: number; perMonthMax?: number | null; settlePrice: number }[];
  feeRateBp?: number;
  refundGraceDays?: number;
}
const fen = (value: number | null | undefined) => (value === null || value === undefined ? null : BigInt(value));

export async function rulesOf(db: Db | Tx, cardTypeId: string, ruleVersion: number): Promise<CardRules> {
  const row = await own(db)
    .selectFrom('cardType as t')
    .innerJoin('cardTypeVersion as v', 'v.cardTypeId', 't.id')
    .select(['t.funder', 't.funderId', 't.funderName', 't.productCode', 'v.rules'])
    .where('t.id', '=', cardTypeId)
    .where('v.ruleVersion', '=', ruleVersion)
    .executeTakeFirstOrThrow();
  const rules = row.rules as Stored;
  return {
    funder: row,
    funderName: row.funderName,
    stackGroup: rules.stackGroup ?? '',
    stackable: rules.stackable ?? true,
    scope: rules.scope ?? {},
    limits: { perUseMin: fen(rules.perUseMin), perUseMax: fen(rules.perUseMax), perDayMax: fen(rules.perDayMax) },
    coupon: rules.couponRule
      ? {
          mode: rules.couponRule.mode,
          threshold: BigInt(rules.couponRule.threshold),
          value: BigInt(rules.couponRule.value),
          cap: fen(rules.couponRule.cap),
        }
      : null,
    benefits: (rules.benefits ?? []).map((one) => ({
      benefitId: one.benefitId,
      benefitName: one.benefitName ?? one.benefitId,
      times: one.times,
      perMonthMax: one.perMonthMax ?? null,
      settlePrice: BigInt(one.settlePrice),
    })),
    feeRateBp: rules.feeRateBp ?? 0,
    refundGraceDays: rules.refundGraceDays ?? 0,
  };
}

import { spread, yuan } from '#kernel/contract/money.ts';
import type { UsageRule } from '../usageRules.ts';
import { couponDeduction, type CouponTerms } from './coupons.ts';
import { takeOf, type SpendableLot } from './lots.ts';
import { least, sumOf } from './rounding.ts';
import {
  brokenLimit,
  clashOf,
  coversLine,
  coversOrder,
  mostUsable,
  type Stacked,
  type UsageLimits,
  type UsageScope,
  type UsedLine,
} from './usage.ts';

/** A card as its use is judged; amounts in fen. */
export interface JudgedCard<L extends SpendableLot = SpendableLot> extends Stacked {
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  state: string;
  stateLabel: string;
  expireAt: string | null;
  scope: UsageScope;
  limits: UsageLimits;
  coupon: CouponTerms | null;
  /** Of a stored value. */
  lots: readonly L[];
  /** Of a coupon or of the benefit asked for: neither used nor held. */
  timesLeft: number;
  /** Of the benefit: how many more this month lets through; null: no limit. */
  monthLeft: number | null;
}
export interface JudgedUse {
  orderType: string | null;
  drugstoreId: string | null;
  lines: readonly UsedLine[];
  /** Exactly so much; null: as much as can be. */
  wanted: bigint | null;
  /** Of a benefit. */
  times: number;
  chosen: readonly Stacked[];
  usedToday: bigint;
  now: string;
}
interface RuleResult {
  rule: UsageRule;
  passed: boolean;
  /** Of the refusal. */
  code: string | null;
  message: string;
}
export interface Judgement<L extends SpendableLot = SpendableLot> {
  rules: RuleResult[];
  amount: bigint;
  /** What each line gets of it. */
  shares: bigint[];
  /** Of a coupon: the part of its value that this use loses. */
  lost: bigint;
  lots: { lot: L; amount: bigint }[];
  /** The first rule that refuses. */
  refusal: RuleResult | null;
}

const passed = (rule: UsageRule, message: string): RuleResult => ({ rule, passed: true, code: null, message });
const failed = (rule: UsageRule, code: string, message: string): RuleResult => ({ rule, passed: false, code, message });

function limitResult(limits: UsageLimits, usedToday: bigint, amount: bigint): RuleResult {
  const broken = brokenLimit(limits, usedToday, amount);
  if (!broken)
    return passed('LIMIT', limits.perDayMax === null ? '未超过限额' : `当日已用${yuan(usedToday)}元，上限${yuan(limits.perDayMax)}元`);
  return broken.limit === 'perUseMin'
    ? failed('LIMIT', 'SCM17033', `未达使用门槛${yuan(broken.fen)}元`)
    : failed('LIMIT', 'SCM17035', `超过单次/单日限额${yuan(broken.fen)}元`);
}

/** Looks at every rule, so that people are told all that stands in the way, and says what the card would pay of which line. */
export function judge<L extends SpendableLot>(card: JudgedCard<L>, use: JudgedUse): Judgement<L> {
  const { now, lines, wanted } = use;
  const rules: RuleResult[] = [];
  rules.push(
    card.state === 'ACTIVE' ? passed('STATE', card.stateLabel) : failed('STATE', 'SCM17030', `卡状态为${card.stateLabel}，不能使用`),
  );
  rules.push(
    card.expireAt === null || card.expireAt > now
      ? passed('VALIDITY', '在有效期内')
      : failed('VALIDITY', 'SCM17030', '卡状态为已过期，不能使用'),
  );
  rules.push(
    coversOrder(card.scope, { orderType: use.orderType ?? '', drugstoreId: use.drugstoreId }) || use.orderType === null
      ? passed('ORDER', '适用')
      : failed('ORDER', 'SCM17032', '该订单类型或门店不在卡适用范围'),
  );
  const covered = lines.map((line) => (coversLine(card.scope, line) ? line.amount : 0n));
  const eligible = sumOf(covered, (one) => one);
  const uncovered = lines.filter((line) => !coversLine(card.scope, line)).length;
  // An amount that is asked for exactly has to fit into what the card covers.
  const within = card.kind === 'BENEFIT_CARD' || (wanted === null ? eligible > 0n : wanted <= eligible);
  rules.push(
    within
      ? passed('SCOPE', uncovered === 0 ? '全部商品适用' : `${lines.length - uncovered}种商品适用，${uncovered}种不适用`)
      : failed('SCOPE', 'SCM17032', '该药品不在卡适用范围'),
  );
  const clash = clashOf(card, use.chosen);
  rules.push(clash ? failed('STACKING', 'SCM17034', '与已选卡券不可叠加') : passed('STACKING', '可与已选卡券同用'));

  let amount = 0n;
  let shares = lines.map(() => 0n);
  let lost = 0n;
  let lots: { lot: L; amount: bigint }[] = [];
  if (card.kind === 'COUPON' && card.coupon) {
    const deduction = couponDeduction(card.coupon, eligible);
    rules.push(
      deduction === null
        ? failed('THRESHOLD', 'SCM17033', `未达使用门槛${yuan(card.coupon.threshold)}元`)
        : passed('THRESHOLD', card.coupon.threshold > 0n ? `已满${yuan(card.coupon.threshold)}元` : '无门槛'),
    );
    amount = deduction ?? 0n;
    shares = spread(amount, covered);
    lost = card.coupon.mode === 'DISCOUNT' || amount === 0n ? 0n : card.coupon.value - amount;
    rules.push(card.timesLeft >= 1 ? passed('BALANCE', '未使用') : failed('BALANCE', 'SCM17030', '卡状态为已用完，不能使用'));
  } else if (card.kind === 'BENEFIT_CARD') {
    rules.push(
      card.monthLeft !== null && card.monthLeft < use.times
        ? failed('LIMIT', 'SCM17035', `超过单次/单日限额：本月还可使用${card.monthLeft}次`)
        : passed('LIMIT', card.monthLeft === null ? '未设月限次' : `本月还可使用${card.monthLeft}次`),
    );
    rules.push(
      card.timesLeft >= use.times
        ? passed('BALANCE', `剩余${card.timesLeft}次`)
        : failed('BALANCE', 'SCM17031', `可用余额不足：需${use.times}次，可用${card.timesLeft}次`),
    );
  } else {
    const live = card.lots.filter(({ expiresAt, free }) => free > 0n && (expiresAt === null || expiresAt > now));
    const available = sumOf(live, ({ free }) => free);
    amount = wanted ?? least(eligible, least(available, mostUsable(card.limits, use.usedToday, eligible)));
    rules.push(limitResult(card.limits, use.usedToday, amount));
    const { taken, missing } = takeOf(card.lots, amount, now);
    lots = taken;
    rules.push(
      missing > 0n || available === 0n
        ? failed('BALANCE', 'SCM17031', `可用余额不足：需${yuan(amount > 0n ? amount : eligible)}元，可用${yuan(available)}元`)
        : passed('BALANCE', `可用${yuan(available)}元`),
    );
    let left = amount;
    shares = covered.map((most) => {
      const part = least(left, most);
      left -= part;
      return part;
    });
  }
  return { rules, amount, shares, lost, lots, refusal: rules.find((one) => !one.passed) ?? null };
}

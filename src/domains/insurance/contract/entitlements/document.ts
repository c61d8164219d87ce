import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, id, optionalText, text } from '#kernel/contract/fields.ts';
import { yuan } from '#kernel/contract/money.ts';
import { claimTypes } from '../businessLines.ts';
import { costBearers, couponModes, entitlementKinds, refundRules, validityModes, type EntitlementKind } from './dictionaries.ts';

const MOST = 10_000_000_000;
const amount = (label: string) =>
  field(label, z.int(`${label}须为整数分`).check(z.minimum(0, `${label}不能小于0`), z.maximum(MOST, `${label}过大`)), { kind: 'money' });
const count = (label: string, most: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(1, `${label}不能小于1`), z.maximum(most, `${label}不能大于${most}`)));
const ids = (label: string) => field(label, z.array(id).check(z.maxLength(500, `${label}最多500个`)));

export const entitlementCode = field(
  '权益编码',
  z.string('请输入权益编码').check(z.trim(), z.regex(/^[A-Z0-9_-]{2,32}$/, '权益编码须为2-32位大写字母、数字、下划线或连字符')),
);

/** Amounts in fen; a discount is what is still paid, in basis points (8500 = 85折). */
export const couponRule = z.strictObject({
  mode: field('优惠方式', couponModes.schema),
  thresholdFen: amount('使用门槛'),
  /** FULL_CUT, CASH: fen; DISCOUNT: basis points; EXCHANGE: 0. */
  value: field('优惠值', z.int('优惠值须为整数').check(z.minimum(0, '优惠值不能小于0'), z.maximum(MOST, '优惠值过大'))),
  capFen: field('最高优惠', z.nullable(amount('最高优惠'))),
});
export type CouponRule = z.output<typeof couponRule>;

export const storedRule = z.strictObject({ principalFen: amount('本金'), bonusFen: amount('赠金') });
export const cardService = z.strictObject({
  rightCode: field('权益项编码', z.string().check(z.regex(/^[A-Z0-9_]{1,24}$/, '权益项编码须为1-24位大写字母、数字或下划线'))),
  name: text('服务名称', 40, 1),
  times: count('次数', 999),
  settlePriceFen: amount('结算价'),
});

/** Empty lists: any. */
export const entitlementScope = z.strictObject({
  productIds: ids('适用产品'),
  medicineIds: ids('适用药品'),
  categories: field('适用药品分类', z.array(z.string().check(z.maxLength(40))).check(z.maxLength(100))),
  drugstoreIds: ids('适用门店'),
  adcodes: field('适用地区', z.array(z.string().check(z.regex(/^\d{6}$/, '适用地区不正确'))).check(z.maxLength(400))),
  claimTypes: field('适用理赔类型', z.array(claimTypes.schema).check(z.maxLength(claimTypes.codes.length))),
  excludeMedicineIds: ids('不适用药品'),
});
export const entitlementValidity = z.strictObject({
  mode: field('有效期方式', validityModes.schema),
  from: field('开始日期', z.nullable(day)),
  to: field('结束日期', z.nullable(day)),
  days: field('有效天数', z.nullable(count('有效天数', 3650))),
  remindDays: field('到期提醒天数', z.nullable(count('到期提醒天数', 365))),
});
export const entitlementStacking = z.strictObject({
  group: optionalText('叠加组', 20),
  priority: field('优先级', z.int('优先级须为整数').check(z.minimum(1, '优先级不能小于1'), z.maximum(99, '优先级不能大于99'))),
});

export const entitlementContent = {
  kind: field('类型', entitlementKinds.schema),
  name: text('名称', 40, 1),
  couponRule: field('优惠券规则', z.nullable(couponRule)),
  stored: field('储值面额', z.nullable(storedRule)),
  services: field('卡内服务', z.nullable(z.array(cardService).check(z.minLength(1, '请至少填写一项服务'), z.maxLength(50)))),
  scope: field('适用范围', entitlementScope),
  validity: field('有效期', entitlementValidity),
  stacking: field('叠加', entitlementStacking),
  transferable: field('可转赠', z.boolean()),
  refundRule: field('退款规则', refundRules.schema),
  costBearer: field('费用承担方', costBearers.schema),
  perPersonLimit: field('每人限领', z.nullable(count('每人限领', 999))),
  effectiveFrom: field('生效日', day),
  effectiveTo: field('失效日', z.nullable(day)),
  gapNote: optionalText('空档说明', 200),
};
export const entitlementDocument = z.strictObject(entitlementContent);
export type EntitlementDocument = z.output<typeof entitlementDocument>;

type Fault = 'CUT_ABOVE_THRESHOLD' | { path: string; message: string };

function couponFault({ mode, thresholdFen, value, capFen }: CouponRule): Fault | null {
  if (mode === 'FULL_CUT' && value > thresholdFen) return 'CUT_ABOVE_THRESHOLD';
  if ((mode === 'FULL_CUT' || mode === 'CASH') && value === 0) return { path: 'couponRule.value', message: '抵扣金额须大于0' };
  if (mode === 'DISCOUNT' && (value < 1 || value > 9999)) return { path: 'couponRule.value', message: '折扣须大于0且小于10折' };
  if (mode === 'EXCHANGE' && value !== 0) return { path: 'couponRule.value', message: '兑换券不填优惠值' };
  return capFen !== null && mode !== 'DISCOUNT' ? { path: 'couponRule.capFen', message: '只有折扣券填写最高优惠' } : null;
}

/** What the fields say together; null: nothing is wrong. */
export function entitlementFault(document: EntitlementDocument): Fault | null {
  const { kind, validity } = document;
  const parts: Record<EntitlementKind, 'couponRule' | 'services' | 'stored'> = {
    COUPON: 'couponRule',
    BENEFIT_CARD: 'services',
    STORED_VALUE: 'stored',
  };
  const own = parts[kind];
  if (document[own] === null) return { path: own, message: `请填写${entitlementKinds.label(kind)}的内容` };
  for (const other of Object.values(parts))
    if (other !== own && document[other] !== null) return { path: other, message: '内容与类型不一致' };
  const coupon = document.couponRule && couponFault(document.couponRule);
  if (coupon) return coupon;
  if (document.stored && document.stored.principalFen + document.stored.bonusFen === 0)
    return { path: 'stored.principalFen', message: '本金和赠金不能都为0' };
  const codes = (document.services ?? []).map(({ rightCode }) => rightCode);
  if (new Set(codes).size !== codes.length) return { path: 'services', message: '权益项编码重复' };
  if (validity.mode === 'FIXED') {
    if (validity.from === null || validity.to === null) return { path: 'validity.from', message: '请选择有效期' };
    if (validity.to < validity.from) return { path: 'validity.to', message: '结束日期不能早于开始日期' };
  } else if (validity.days === null) return { path: 'validity.days', message: '请输入有效天数' };
  return document.effectiveTo !== null && document.effectiveTo < document.effectiveFrom
    ? { path: 'effectiveTo', message: '失效日不能早于生效日' }
    : null;
}

const money = (fen: number) => `${yuan(fen, true).replace(/\.00$/, '')}元`;
/** 8500 → `8.5折`. */
const discount = (bp: number) => `${(bp / 1000).toFixed(2).replace(/\.?0+$/, '')}折`;

export function termsText({
  kind,
  couponRule: coupon,
  stored,
  services,
}: Pick<EntitlementDocument, 'kind' | 'couponRule' | 'stored' | 'services'>): string {
  if (kind === 'STORED_VALUE')
    return stored ? `面额${money(stored.principalFen)}${stored.bonusFen > 0 ? `，赠${money(stored.bonusFen)}` : ''}` : '';
  if (kind === 'BENEFIT_CARD') return (services ?? []).map(({ name, times }) => `${name}${times}次`).join('、');
  if (!coupon) return '';
  const floor = coupon.thresholdFen > 0 ? `满${money(coupon.thresholdFen)}` : '';
  switch (coupon.mode) {
    case 'FULL_CUT':
      return `${floor}减${money(coupon.value)}`;
    case 'CASH':
      return `${floor}立减${money(coupon.value)}`;
    case 'DISCOUNT':
      return `${floor}${discount(coupon.value)}${coupon.capFen === null ? '' : `，最高优惠${money(coupon.capFen)}`}`;
    case 'EXCHANGE':
      return `${floor}兑换`;
  }
}

/** What a coupon takes off an order; null: it cannot be used on it. */
export function couponOff({ mode, thresholdFen, value, capFen }: CouponRule, orderFen: number): number | null {
  if (orderFen < thresholdFen) return null;
  if (mode === 'EXCHANGE') return orderFen;
  if (mode !== 'DISCOUNT') return Math.min(value, orderFen);
  const off = orderFen - Math.floor((2 * orderFen * value + 10_000) / 20_000);
  return capFen === null ? off : Math.min(off, capFen);
}

/** `满300元减50元：订单280元不可用，订单320元抵50元`. */
export function sampleText(rule: CouponRule): string {
  const below = Math.max(0, rule.thresholdFen - 2000);
  const above = rule.thresholdFen + 2000 || 10_000;
  const one = (orderFen: number) => {
    const off = couponOff(rule, orderFen);
    return `订单${money(orderFen)}${off === null ? '不可用' : `抵${money(off)}`}`;
  };
  const head = termsText({ kind: 'COUPON', couponRule: rule, stored: null, services: null });
  return `${head}：${rule.thresholdFen > 0 ? `${one(below)}，` : ''}${one(above)}`;
}

export function validityText({ mode, from, to, days }: EntitlementDocument['validity']): string {
  return mode === 'FIXED' ? `${from ?? ''} 至 ${to ?? ''}` : `${validityModes.label(mode)}${days ?? 0}天`;
}

export function scopeText(scope: EntitlementDocument['scope']): string {
  const parts = [
    [scope.productIds.length, '个产品'],
    [scope.medicineIds.length, '种药品'],
    [scope.categories.length, '个分类'],
    [scope.drugstoreIds.length, '家门店'],
    [scope.adcodes.length, '个地区'],
  ] as const;
  const found = [...parts.flatMap(([n, what]) => (n > 0 ? `${n}${what}` : [])), ...scope.claimTypes.map((type) => claimTypes.label(type))];
  return found.length === 0 ? '不限' : found.join('、');
}

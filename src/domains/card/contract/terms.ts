import * as z from 'zod/mini';
import { between, ordered } from '#kernel/contract/between.ts';
import { field } from '#kernel/contract/field.ts';
import { day, fen, id, several, text } from '#kernel/contract/fields.ts';
import type { CardKind } from './dictionaries.ts';
import { couponModes, expiryPolicies, orderTypes, validModes } from './typeDictionaries.ts';

const whole = (label: string, least: number, most: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(least, `${label}不能小于${least}`), z.maximum(most, `${label}不能大于${most}`)));
const amount = (label: string) =>
  field(label, fen.check(z.minimum(0, `${label}不能小于0`), z.maximum(100_000_000, `${label}不能大于100万元`)));
const none = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);

export const benefitTerm = z.strictObject({
  benefitId: field('权益编码', text('权益编码', 40, 1)),
  benefitName: field('权益名称', text('权益名称', 40, 1)),
  times: whole('次数', 1, 9_999),
  perMonthMax: field('每月最多', none(whole('每月最多', 1, 9_999))),
  settlePrice: amount('结算单价'),
});

export const couponTerm = z
  .strictObject({
    mode: field('优惠方式', couponModes.schema),
    threshold: amount('使用门槛'),
    value: whole('优惠值', 1, 100_000_000),
    cap: field('最高优惠', none(amount('最高优惠'))),
  })
  .check(
    between(
      ['mode', 'threshold', 'value'],
      ({ mode, threshold, value }) => mode !== 'FULL_CUT' || threshold > value,
      '满减门槛须大于优惠金额',
    ),
    between(['mode', 'value'], ({ mode, value }) => mode !== 'DISCOUNT' || (value >= 100 && value <= 9_900), '折扣须在1–99%之间'),
  );

/** What a card type promises; a batch pins it, so that cards keep what they were issued with. Amounts in fen, rates in bp. */
export const cardTerms = {
  validMode: field('有效期', z._default(validModes.schema, 'DAYS')),
  validFrom: field('开始日期', none(day)),
  validTo: field('结束日期', none(day)),
  validDays: field('有效天数', none(whole('有效天数', 1, 1_830))),
  faceAmount: field('面额', z._default(amount('面额'), 0)),
  bonusAmount: field('赠送', z._default(amount('赠送'), 0)),
  benefits: field('权益项', z._default(z.array(benefitTerm).check(z.maxLength(20, '最多20项权益')), [])),
  couponRule: field('优惠规则', none(couponTerm)),
  scope: field(
    '适用范围',
    z._default(
      z.strictObject({
        orderTypes: field('订单类型', z.optional(several(orderTypes.schema))),
        drugstoreIds: field('药店', z.optional(several(id, 500))),
        medicineIds: field('药品', z.optional(several(id, 500))),
        categoryCodes: field('药品分类', z.optional(several(text('药品分类', 40, 1), 100))),
        excludeMedicineIds: field('除外药品', z.optional(several(id, 500))),
      }),
      {},
    ),
  ),
  perUseMin: field('单次最低', none(amount('单次最低'))),
  perUseMax: field('单次最高', none(amount('单次最高'))),
  perDayMax: field('单日最高', none(amount('单日最高'))),
  stackGroup: field('叠加组', z._default(text('叠加组', 20), '')),
  stackable: field('可与其他卡券叠加', z._default(z.boolean(), true)),
  oneCardPerPerson: field('每人限一张', z._default(z.boolean(), false)),
  needActivation: field('需要激活', z._default(z.boolean(), false)),
  needRealName: field('需要实名', z._default(z.boolean(), false)),
  expiryPolicy: field('过期处理', z._default(expiryPolicies.schema, 'RETURN')),
  refundGraceDays: field('退回宽限天数', z._default(whole('退回宽限天数', 0, 90), 0)),
  feeRateBp: field('药店手续费率', z._default(whole('药店手续费率', 0, 2_000), 0)),
};
export type CardTerms = z.output<z.ZodMiniObject<typeof cardTerms>>;
const rule = (reads: readonly (keyof CardTerms)[], holds: (terms: CardTerms) => boolean, message: string) =>
  between<CardTerms>(reads, holds, message);
/** What holds between them, whatever the kind. */
export const termRules = [
  rule(['validMode', 'validDays'], ({ validMode, validDays }) => validMode !== 'DAYS' || validDays !== null, '请输入有效天数'),
  rule(['validMode', 'validFrom'], ({ validMode, validFrom }) => validMode !== 'FIXED' || validFrom !== null, '请选择开始日期'),
  rule(['validMode', 'validTo'], ({ validMode, validTo }) => validMode !== 'FIXED' || validTo !== null, '请选择结束日期'),
  rule(
    ['validMode', 'validFrom', 'validTo'],
    ({ validMode, validFrom, validTo }) => validMode !== 'FIXED' || validFrom === null || validTo === null || validTo > validFrom,
    '结束日期须晚于开始日期',
  ),
  ordered('perUseMin', 'perUseMax', '单次最高不能小于单次最低'),
];
export const termsSchema = z.strictObject(cardTerms).check(...termRules);
/** As they are kept and shown: rules between fields are for what is typed, not for what was stored before there was such a rule. */
export const storedTerms = z.strictObject(cardTerms);
export const NO_BENEFITS = '请至少添加一项权益';

export const termLabels: Readonly<Record<keyof CardTerms, string>> = {
  validMode: '有效期',
  validFrom: '开始日期',
  validTo: '结束日期',
  validDays: '有效天数',
  faceAmount: '面额',
  bonusAmount: '赠送',
  benefits: '权益项',
  couponRule: '优惠规则',
  scope: '适用范围',
  perUseMin: '单次最低',
  perUseMax: '单次最高',
  perDayMax: '单日最高',
  stackGroup: '叠加组',
  stackable: '可与其他卡券叠加',
  oneCardPerPerson: '每人限一张',
  needActivation: '需要激活',
  needRealName: '需要实名',
  expiryPolicy: '过期处理',
  refundGraceDays: '退回宽限天数',
  feeRateBp: '药店手续费率',
};

/** What a type of this kind must hold besides. @returns the field and the sentence for whoever fills in the form; null when all is well */
export function faultOfTerms(kind: CardKind, terms: CardTerms): { field: keyof CardTerms; message: string } | null {
  const fault = (name: keyof CardTerms, message: string) => ({ field: name, message });
  if (kind === 'BENEFIT_CARD' && terms.benefits.length === 0) return fault('benefits', NO_BENEFITS);
  if (kind === 'BENEFIT_CARD' && new Set(terms.benefits.map(({ benefitId }) => benefitId)).size < terms.benefits.length)
    return fault('benefits', '权益编码不能重复');
  if (kind !== 'STORED_VALUE' && (terms.faceAmount > 0 || terms.bonusAmount > 0)) return fault('faceAmount', '只有储值卡有面额');
  if (kind !== 'COUPON') return null;
  const rule = terms.couponRule;
  return rule === null ? fault('couponRule', '请填写优惠规则') : null;
}

import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, fen, int4, mobileText, personName, text } from '#kernel/contract/fields.ts';
import { followUpResults, type OtherMaterialKind } from './materialStates.ts';

const isCard = (value: string) => /^\d{12,19}$/.test(value);

/** What stands on the papers, by kind; the reviewer completes it. */
export const otherMaterialFacts = z.strictObject({
  examinedOn: field('复查日期', z.optional(day)),
  followUpResult: field('复查结论', z.optional(followUpResults.schema)),
  mobile: field('新手机号', z.optional(mobileText('手机号格式不正确')), { mask: 'mobile' }),
  payeeName: field('收款户名', z.optional(personName('收款户名', 40, 1))),
  payeeBank: field('收款银行', z.optional(text('收款银行', 60, 2))),
  payeeAccount: field('收款账号', z.optional(text('收款账号', 19).check(z.refine(isCard, '银行卡号格式不正确'))), { mask: 'bankCard' }),
  drugName: field('药品', z.optional(text('药品', 60, 1))),
  quantity: field('数量', z.optional(int4('数量须为整数').check(z.minimum(1, '数量须大于0'), z.maximum(10_000, '数量不能大于10000')))),
  amountFen: field('金额', z.optional(fen.check(z.minimum(1, '金额须大于0'), z.maximum(100_000_000, '金额不能大于100万元')))),
  purchasedOn: field('购药日期', z.optional(day)),
  prescribedOn: field('处方日期', z.optional(day)),
  note: field('说明', z.optional(text('说明', 200, 1))),
});
export type OtherMaterialFacts = z.output<typeof otherMaterialFacts>;
type Fact = keyof OtherMaterialFacts;

/** Facts of a kind; those that it cannot pass without come first. */
export const factsOfKind: Readonly<Record<OtherMaterialKind, { needed: readonly Fact[]; more: readonly Fact[] }>> = {
  FOLLOW_UP: { needed: ['examinedOn', 'followUpResult'], more: ['note'] },
  IDENTITY: { needed: [], more: ['mobile', 'note'] },
  BANK: { needed: ['payeeName', 'payeeBank', 'payeeAccount'], more: ['note'] },
  PRIOR_PURCHASE: { needed: ['drugName', 'quantity', 'amountFen', 'purchasedOn'], more: ['note'] },
  PRESCRIPTION: { needed: ['prescribedOn'], more: ['note'] },
  OTHER: { needed: [], more: ['note'] },
};
/** Days that lie behind us. */
export const pastFacts = ['examinedOn', 'purchasedOn', 'prescribedOn'] as const;

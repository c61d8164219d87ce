import type { AccountRef, AccountTypeDeclaration, BookDeclaration } from '#domains/ledger/server/index.ts';

const guarded = { floorFen: 0n, stripes: 1 } as const;
const open = (stripes: number) => ({ floorFen: null, stripes }) as const;
const accountTypes = {
  CARD_ISSUE_CONTRA: { label: '制卡备查', normalSide: 'D', ownerType: 'cardBatch', ...open(1), kept: true },
  CARD_UNSOLD: { label: '已制未售面值', normalSide: 'C', ownerType: 'cardBatch', ...guarded, kept: true },
  CARD_PRINCIPAL: { label: '储值本金', normalSide: 'C', ownerType: 'cardAccount', ...guarded, lotted: true, personal: true },
  CARD_BONUS: { label: '储值赠金', normalSide: 'C', ownerType: 'cardAccount', ...guarded, lotted: true, usedFirst: true, personal: true },
  CARD_FUND: { label: '出资方预付款', normalSide: 'C', ownerType: 'funder', ...guarded },
  CARD_RECEIVABLE: { label: '应收出资方', normalSide: 'D', ownerType: 'funder', ...open(8) },
  CARD_COMMITTED: { label: '已承诺未使用', normalSide: 'D', ownerType: 'funder', ...open(8) },
  CARD_BONUS_COST: { label: '赠金成本', normalSide: 'D', ownerType: 'funder', ...open(8) },
  CARD_MERCHANT_PAYABLE: { label: '应付核销商户', normalSide: 'C', ownerType: 'merchant', ...open(8), kept: true },
  CARD_BREAKAGE: { label: '过期沉淀', normalSide: 'C', ownerType: 'cardBatch', ...open(1) },
  CARD_CASH: { label: '资金往来', normalSide: 'D', ownerType: 'platform', ...open(16) },
  CARD_REVENUE: { label: '手续费收入', normalSide: 'C', ownerType: 'platform', ...open(16) },
  CARD_SETTLE_DIFF: { label: '结算差异', normalSide: 'D', ownerType: 'platform', ...open(16) },
} as const satisfies Record<string, AccountTypeDeclaration>;

const value = ['CARD_PRINCIPAL', 'CARD_BONUS'] as const;
const funding = ['CARD_FUND', 'CARD_RECEIVABLE', 'CARD_COMMITTED', 'CARD_CASH', 'CARD_BONUS_COST'] as const;
const settled = ['CARD_MERCHANT_PAYABLE', 'CARD_RECEIVABLE', 'CARD_SETTLE_DIFF'] as const;

export const cardBook: BookDeclaration = {
  book: 'CARD',
  accountTypes,
  transferTypes: {
    CARD_GEN: { label: '制卡', debit: ['CARD_ISSUE_CONTRA'], credit: ['CARD_UNSOLD'], reversible: false },
    CARD_ISSUE: { label: '发卡', debit: ['CARD_UNSOLD'], credit: ['CARD_ISSUE_CONTRA'], reversible: false },
    CARD_TAKE_BACK: { label: '撤回与作废', debit: value, credit: funding, reversible: false },
    CARD_MOVE_LOT: { label: '换卡与延期', debit: value, credit: value, reversible: false },
    CARD_PREPAY: { label: '出资方预付', debit: ['CARD_CASH'], credit: ['CARD_FUND'], reversible: false },
    CARD_GRANT: { label: '发放本金', debit: funding, credit: ['CARD_PRINCIPAL'], reversible: false },
    CARD_GRANT_BONUS: { label: '发放赠金', debit: ['CARD_BONUS_COST', 'CARD_RECEIVABLE'], credit: ['CARD_BONUS'], reversible: false },
    CARD_SPEND: { label: '卡核销', debit: value, credit: ['CARD_MERCHANT_PAYABLE', 'CARD_REVENUE'], reversible: true },
    CARD_ACCRUE: { label: '核销计提', debit: ['CARD_RECEIVABLE'], credit: ['CARD_COMMITTED'], reversible: true },
    CARD_SERVE: {
      label: '权益与优惠核销',
      debit: ['CARD_RECEIVABLE', 'CARD_BONUS_COST'],
      credit: ['CARD_MERCHANT_PAYABLE'],
      reversible: true,
    },
    CARD_REVERSE_VOIDED: {
      label: '作废卡冲正',
      debit: ['CARD_MERCHANT_PAYABLE', 'CARD_REVENUE'],
      credit: funding,
      reversible: false,
    },
    // An expired card is taken up again: its value comes back from where the expiry put it.
    CARD_REOPEN: { label: '延期恢复', debit: [...funding, 'CARD_BREAKAGE'], credit: value, reversible: false },
    CARD_EXPIRE: { label: '到期', debit: value, credit: ['CARD_BREAKAGE'], reversible: false },
    CARD_EXPIRE_SHARE: { label: '到期归属', debit: ['CARD_BREAKAGE'], credit: funding, reversible: false },
    CARD_SETTLE_PAYABLE: { label: '支付药店结算款', debit: ['CARD_MERCHANT_PAYABLE'], credit: ['CARD_CASH'], reversible: false },
    CARD_SETTLE_RECEIVABLE: { label: '收出资方结算款', debit: ['CARD_CASH'], credit: ['CARD_RECEIVABLE'], reversible: false },
    CARD_UNSETTLE_PAYABLE: { label: '药店结算款退回', debit: ['CARD_CASH'], credit: ['CARD_MERCHANT_PAYABLE'], reversible: false },
    CARD_UNSETTLE_RECEIVABLE: { label: '出资方结算款退回', debit: ['CARD_RECEIVABLE'], credit: ['CARD_CASH'], reversible: false },
    CARD_SETTLE_ADJ: { label: '结算调整', debit: settled, credit: settled, reversible: false },
  },
  documents: {
    cardBatch: { label: '发卡批次', link: ({ id }) => ({ path: '/cardBatchManagementDetail', search: { batchId: id } }) },
    cardGrant: { label: '储值发放', link: ({ no }) => (no ? { path: '/valueCardGrant', search: { grantNo: no } } : null) },
    cardHold: { label: '核销', link: ({ no }) => (no ? { path: '/cardGrantCancel', search: { holdNo: no } } : null) },
    cardAccrual: { label: '核销计提' },
    cardReversal: { label: '核销冲正' },
    cardSettlementBill: {
      label: '储值结算单',
      link: ({ no }) => (no ? { path: '/storedCardBatchManage', search: { tab: 'bills', billNo: no } } : null),
    },
    cardPrepay: { label: '出资方预付', link: () => ({ path: '/storedCardBatchManage', search: { tab: 'funds' } }) },
    cardLot: { label: '资金批到期' },
    cardCard: { label: '卡', link: ({ id }) => ({ path: '/cardInformationDetail', search: { cardId: id } }) },
    cardChange: { label: '卡变更', link: ({ no }) => (no ? { path: '/cardInformation', search: { tab: 'changes', changeNo: no } } : null) },
  },
  page: '/storedCardBatchManage?tab=ledger',
};

const of = (type: string, ownerType: string, id: string, sub?: string): AccountRef => ({
  book: 'CARD',
  type,
  owner: { type: ownerType, id },
  ...(sub !== undefined && { sub }),
});
export interface Funder {
  funder: string;
  funderId: string | null;
  productCode: string | null;
}
/** One funder of one kind: `INSURER:3`; the platform has no number. */
export const funderKey = ({ funder, funderId }: Pick<Funder, 'funder' | 'funderId'>): string => `${funder}:${funderId ?? '0'}`;

export const principalOf = (cardId: string) => of('CARD_PRINCIPAL', 'cardAccount', cardId);
export const bonusOf = (cardId: string) => of('CARD_BONUS', 'cardAccount', cardId);
export const merchantPayable = (merchantId: string) => of('CARD_MERCHANT_PAYABLE', 'merchant', merchantId);
export const receivableOf = (funder: Funder) => of('CARD_RECEIVABLE', 'funder', funderKey(funder), funder.productCode ?? '');
export const committedOf = (funder: Funder) => of('CARD_COMMITTED', 'funder', funderKey(funder), funder.productCode ?? '');
export const bonusCostOf = (funder: Funder) => of('CARD_BONUS_COST', 'funder', funderKey(funder), funder.productCode ?? '');
export const fundOf = (funder: Funder) => of('CARD_FUND', 'funder', funderKey(funder), funder.productCode ?? '');
export const unsoldOf = (batchId: string) => of('CARD_UNSOLD', 'cardBatch', batchId);
export const issueContraOf = (batchId: string) => of('CARD_ISSUE_CONTRA', 'cardBatch', batchId);
export const breakageOf = (batchId: string) => of('CARD_BREAKAGE', 'cardBatch', batchId);
export const revenue = of('CARD_REVENUE', 'platform', '1');
export const cash = of('CARD_CASH', 'platform', '1');
export const settleDiff = of('CARD_SETTLE_DIFF', 'platform', '1');

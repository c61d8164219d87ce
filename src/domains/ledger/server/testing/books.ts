import type { BookDeclaration } from '../chart.ts';

/** Books with one account type of each kind, as card and settlement will declare theirs. */
export const testBooks: readonly BookDeclaration[] = [
  {
    book: 'CARD',
    accountTypes: {
      CARD_PRINCIPAL: { label: '储值本金', normalSide: 'C', ownerType: 'cardAccount', floorFen: 0n, stripes: 1, lotted: true },
      CARD_BONUS: { label: '储值赠金', normalSide: 'C', ownerType: 'cardAccount', floorFen: 0n, stripes: 1, lotted: true, usedFirst: true },
      CARD_MERCHANT_PAYABLE: { label: '应付核销商户', normalSide: 'C', ownerType: 'drugstore', floorFen: null, stripes: 8 },
      CARD_BREAKAGE: { label: '过期沉淀', normalSide: 'C', ownerType: 'cardBatch', floorFen: null, stripes: 1 },
      CARD_REVENUE: { label: '手续费收入', normalSide: 'C', ownerType: 'platform', floorFen: null, stripes: 16 },
      CARD_SETTLE_DIFF: { label: '结算差异', normalSide: 'D', ownerType: 'platform', floorFen: null, stripes: 16 },
      CARD_CASH: { label: '资金往来', normalSide: 'D', ownerType: 'platform', floorFen: null, stripes: 16 },
    },
    transferTypes: {
      TOP_UP: { label: '储值', debit: ['CARD_CASH'], credit: ['CARD_PRINCIPAL', 'CARD_BONUS'], reversible: true },
      SPEND: { label: '消费', debit: ['CARD_PRINCIPAL', 'CARD_BONUS'], credit: ['CARD_MERCHANT_PAYABLE'], reversible: true },
      EXPIRE: { label: '过期', debit: ['CARD_PRINCIPAL', 'CARD_BONUS'], credit: ['CARD_BREAKAGE'], reversible: false },
      REPLACE: { label: '换卡', debit: ['CARD_PRINCIPAL', 'CARD_BONUS'], credit: ['CARD_PRINCIPAL', 'CARD_BONUS'], reversible: false },
    },
  },
  {
    book: 'DOCTOR',
    accountTypes: {
      DR_PAYABLE: { label: '可结算收入', normalSide: 'C', ownerType: 'doctor', floorFen: 0n, stripes: 1 },
      DR_CASH: { label: '银行存款', normalSide: 'D', ownerType: 'payerEntity', floorFen: null, stripes: 16 },
    },
    transferTypes: {
      ACCRUE: { label: '计提', debit: ['DR_CASH'], credit: ['DR_PAYABLE'], reversible: true },
      MOVE: { label: '划转', debit: ['DR_PAYABLE'], credit: ['DR_PAYABLE'], reversible: true },
      PAY: { label: '付款', debit: ['DR_PAYABLE'], credit: ['DR_CASH'], reversible: true },
    },
  },
];

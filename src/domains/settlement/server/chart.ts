import type { AccountRef, AccountTypeDeclaration, BookDeclaration } from '#domains/ledger/server/index.ts';

const guarded = { floorFen: 0n, stripes: 1, ownerType: 'doctor', personal: true, kept: true } as const;
const open = { floorFen: null, stripes: 8, ownerType: 'payerEntity' } as const;
const accountTypes = {
  DR_SERVICE_COST: { label: '医生服务成本', normalSide: 'D', ...open },
  DR_PENDING: { label: '待入账收入', normalSide: 'C', ...guarded },
  DR_PAYABLE: { label: '可结算收入', normalSide: 'C', ...guarded },
  DR_IN_TRANSIT: { label: '付款在途', normalSide: 'C', ...open },
  DR_TAX_PAYABLE: { label: '应交个税', normalSide: 'C', ...open },
  DR_CASH: { label: '银行存款', normalSide: 'D', ...open },
  DR_PROGRAM_FUND: { label: '激励项目资金', normalSide: 'C', floorFen: 0n, stripes: 1, ownerType: 'incentiveProgram', kept: true },
  DR_PROGRAM_RECEIVABLE: { label: '应收药企项目款', normalSide: 'D', floorFen: null, stripes: 1, ownerType: 'pharmaCompany' },
  DR_CLAWBACK: { label: '应追回', normalSide: 'D', ...guarded },
} as const satisfies Record<string, AccountTypeDeclaration>;

export const doctorBook: BookDeclaration = {
  book: 'DOCTOR',
  accountTypes,
  transferTypes: {
    DR_ACCRUE: { label: '收入计提', debit: ['DR_SERVICE_COST', 'DR_PROGRAM_FUND'], credit: ['DR_PENDING'], reversible: false },
    DR_UNACCRUE: { label: '计提冲回', debit: ['DR_PENDING'], credit: ['DR_SERVICE_COST', 'DR_PROGRAM_FUND'], reversible: false },
    DR_MATURE: { label: '收入到期入账', debit: ['DR_PENDING'], credit: ['DR_PAYABLE'], reversible: false },
    DR_CLAW: { label: '收入追回', debit: ['DR_PAYABLE', 'DR_CLAWBACK'], credit: ['DR_SERVICE_COST', 'DR_PROGRAM_FUND'], reversible: false },
    DR_PAYOUT: { label: '医生付款出盘', debit: ['DR_PAYABLE'], credit: ['DR_IN_TRANSIT', 'DR_TAX_PAYABLE'], reversible: true },
    DR_PAID: { label: '医生付款成功', debit: ['DR_IN_TRANSIT'], credit: ['DR_CASH'], reversible: true },
    DR_TAX_PAID: { label: '个税申报缴纳', debit: ['DR_TAX_PAYABLE'], credit: ['DR_CASH'], reversible: false },
    DR_TAX_REFUND: { label: '个税更正退税', debit: ['DR_CASH'], credit: ['DR_TAX_PAYABLE'], reversible: false },
    DR_NET: { label: '追回抵扣', debit: ['DR_PAYABLE'], credit: ['DR_CLAWBACK'], reversible: false },
    DR_PROGRAM_COMMIT: { label: '激励项目预算', debit: ['DR_PROGRAM_RECEIVABLE'], credit: ['DR_PROGRAM_FUND'], reversible: false },
    DR_PROGRAM_RETURN: { label: '激励项目结余退回', debit: ['DR_PROGRAM_FUND'], credit: ['DR_PROGRAM_RECEIVABLE'], reversible: false },
    DR_ADJUST: { label: '人工调增', debit: ['DR_SERVICE_COST'], credit: ['DR_PAYABLE'], reversible: false },
  },
  documents: {
    settlementPayout: { label: '医生付款', link: () => ({ path: '/incomeSettle', search: { tab: 'items' } }) },
    settlementTaxMonth: { label: '个税申报', link: () => ({ path: '/incomeSettle', search: { tab: 'declare' } }) },
    incentiveProgram: { label: '激励项目', link: ({ no }) => (no ? { path: '/IncentiveItroduction', search: { programNo: no } } : null) },
    settlementBill: { label: '医生结算单', link: ({ no }) => (no ? { path: '/doctorSettlement', search: { billNo: no } } : null) },
    settlementIncome: { label: '医生收入', link: ({ no }) => (no ? { path: '/incomeDetail', search: { incomeNo: no } } : null) },
  },
  page: '/accountInquiry?tab=ledger',
};

/** An account of a doctor with one payer. */
const ofDoctor =
  (type: string) =>
  (doctorId: string, payerId: string): AccountRef => ({
    book: 'DOCTOR',
    type,
    owner: { type: 'doctor', id: doctorId },
    sub: payerId,
  });
const ofPayer =
  (type: string) =>
  (payerId: string): AccountRef => ({
    book: 'DOCTOR',
    type,
    owner: { type: 'payerEntity', id: payerId },
  });
export const fundOf = (programId: string): AccountRef => ({
  book: 'DOCTOR',
  type: 'DR_PROGRAM_FUND',
  owner: { type: 'incentiveProgram', id: programId },
});
export const receivableOf = (companyId: string): AccountRef => ({
  book: 'DOCTOR',
  type: 'DR_PROGRAM_RECEIVABLE',
  owner: { type: 'pharmaCompany', id: companyId },
});
export const pendingOf = ofDoctor('DR_PENDING');
export const payableOf = ofDoctor('DR_PAYABLE');
export const clawbackOf = ofDoctor('DR_CLAWBACK');
export const inTransitOf = ofPayer('DR_IN_TRANSIT');
export const taxPayableOf = ofPayer('DR_TAX_PAYABLE');
export const cashOf = ofPayer('DR_CASH');
export const costOf = ofPayer('DR_SERVICE_COST');

import { declarePermissions } from '#kernel/contract/permission.ts';

/** Pages that show books; the ledger has none of its own. */
const pages = { routes: ['accountInquiry', 'storedCardBatchManage'] } as const;

export const ledgerPermissions = declarePermissions('ledger', {
  'account.view': { label: '查看账户与流水', roles: 'CARD_OPS|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...pages },
  'account.freeze': { label: '冻结、解冻账户', risk: 'HIGH', roles: 'FINANCE_AUDIT', withoutSuperAdmin: true, ...pages },
  'adjust.make': { label: '制作调账', risk: 'HIGH', roles: 'FINANCE', withoutSuperAdmin: true, ...pages },
  'adjust.check': {
    label: '复核调账',
    risk: 'HIGH',
    roles: 'FINANCE_AUDIT',
    withoutSuperAdmin: true,
    ...pages,
    decides: { document: '调账单', of: ['adjust.make'], money: true },
  },
  'adjust.check2': {
    label: '二级复核调账',
    risk: 'HIGH',
    roles: 'FINANCE_LEAD',
    withoutSuperAdmin: true,
    ...pages,
    decides: { document: '调账单', of: ['adjust.make', 'adjust.check'], money: true },
  },
  'proof.view': { label: '查看平衡检查与试算表', roles: 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...pages },
  'proof.manage': { label: '发起平衡检查、处理差异', risk: 'HIGH', roles: 'FINANCE_AUDIT', ...pages },
  'book.card': { label: '储值与权益次数账簿范围', roles: 'CARD_OPS|CARD_AUDIT|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...pages },
  'book.doctor': { label: '医生账簿范围', roles: 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...pages },
  'book.insurer': { label: '保司账簿范围', roles: 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...pages },
  'owner.reveal': { label: '查看户名明文', risk: 'HIGH', roles: 'FINANCE_LEAD', ...pages },
});

/** Who sees which book. */
export const bookPermissions = {
  CARD: ledgerPermissions['book.card'],
  DOCTOR: ledgerPermissions['book.doctor'],
  INSURER: ledgerPermissions['book.insurer'],
} as const;

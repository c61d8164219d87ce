import { declarePermissions } from '#kernel/contract/permission.ts';

const HIGH = { risk: 'HIGH' } as const;
const income = { routes: ['incomeDetail', 'doctorIncome'] } as const;
const account = { routes: ['accountInquiry'] } as const;
const rule = { routes: ['settlementRules'] } as const;
const bill = { routes: ['doctorSettlement'] } as const;
const payout = { routes: ['incomeSettle'] } as const;
const program = { routes: ['IncentiveItroduction'] } as const;
const READERS = 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR';

export const settlementPermissions = declarePermissions('settlement', {
  'income.view': { label: '查看医生收入', roles: `DOCTOR_OPS|${READERS}`, ...income },
  'income.hold': { label: '挂起、解除挂起收入', ...HIGH, roles: 'FINANCE|FINANCE_AUDIT', ...income },
  'income.reverse': { label: '冲回收入', ...HIGH, roles: 'FINANCE_AUDIT', ...income, withoutSuperAdmin: true },
  'income.adjust': { label: '制作人工调整单', ...HIGH, roles: 'FINANCE', ...income, withoutSuperAdmin: true },
  'income.adjustCheck': {
    label: '复核人工调整',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...income,
    withoutSuperAdmin: true,
    decides: { document: '人工调整单', of: ['income.adjust'], money: true },
  },
  'income.adjustCheck2': {
    label: '二级复核人工调整',
    ...HIGH,
    roles: 'FINANCE_LEAD',
    ...income,
    withoutSuperAdmin: true,
    decides: { document: '人工调整单', of: ['income.adjust', 'income.adjustCheck'], money: true },
  },
  'income.export': { label: '导出收入', roles: 'FINANCE|AUDITOR', ...income },
  'account.view': { label: '查看医生账户', roles: READERS, ...account },
  'account.edit': { label: '编辑收款账户', ...HIGH, roles: 'FINANCE', ...account, withoutSuperAdmin: true },
  'account.verify': {
    label: '验证收款账户',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...account,
    withoutSuperAdmin: true,
    decides: { document: '收款账户', of: ['account.edit'], money: true },
  },
  'account.freeze': { label: '冻结、解除医生结算', ...HIGH, roles: 'FINANCE_AUDIT', ...account },
  'account.reveal': { label: '查看收款账户明文', ...HIGH, roles: 'FINANCE|FINANCE_AUDIT', ...account },
  'account.export': { label: '导出医生账户', roles: 'FINANCE|AUDITOR', ...account },
  'rule.view': { label: '查看结算规则', roles: READERS, ...rule },
  'rule.edit': { label: '编辑结算规则', ...HIGH, roles: 'FINANCE', ...rule },
  'rule.audit': {
    label: '审核发布结算规则',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...rule,
    withoutSuperAdmin: true,
    decides: { document: '结算规则', of: ['rule.edit'], money: true },
  },
  'program.view': { label: '查看激励项目', roles: 'CHANNEL_OPS|FINANCE|FINANCE_AUDIT|AUDITOR', ...program },
  'program.edit': { label: '编辑激励项目', ...HIGH, roles: 'CHANNEL_OPS', ...program },
  'program.audit': {
    label: '审核激励项目与预算',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...program,
    withoutSuperAdmin: true,
    decides: { document: '激励项目', of: ['program.edit', 'program.fact'], money: true },
  },
  'program.fact': { label: '导入激励事实', ...HIGH, roles: 'CHANNEL_OPS', ...program },
  'program.export': { label: '导出激励项目', roles: 'CHANNEL_OPS|FINANCE|AUDITOR', ...program },
  'bill.view': { label: '查看结算单', roles: READERS, ...bill },
  'bill.run': { label: '发起批算', ...HIGH, roles: 'FINANCE', ...bill },
  'bill.submit': { label: '提交、重算结算单', ...HIGH, roles: 'FINANCE', ...bill },
  'bill.audit': {
    label: '审核、作废结算单',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...bill,
    withoutSuperAdmin: true,
    decides: { document: '结算单', of: ['bill.run', 'bill.submit'], money: true },
  },
  'bill.hold': { label: '挂起结算单', ...HIGH, roles: 'FINANCE|FINANCE_AUDIT', ...bill },
  'bill.export': { label: '导出结算单', roles: 'FINANCE|AUDITOR', ...bill },
  'payout.view': { label: '查看付款批次', roles: 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|CASHIER|AUDITOR', ...payout },
  'payout.make': { label: '制作付款批次', ...HIGH, roles: 'FINANCE', ...payout, withoutSuperAdmin: true },
  'payout.check': {
    label: '复核付款批次',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...payout,
    withoutSuperAdmin: true,
    decides: { document: '付款批次', of: ['payout.make', 'payout.result'], money: true },
  },
  'payout.check2': {
    label: '二级复核付款批次',
    ...HIGH,
    roles: 'FINANCE_LEAD',
    ...payout,
    withoutSuperAdmin: true,
    decides: { document: '付款批次', of: ['payout.make', 'payout.check', 'payout.result'], money: true },
  },
  'payout.export': {
    label: '生成银行文件',
    ...HIGH,
    roles: 'CASHIER',
    ...payout,
    withoutSuperAdmin: true,
    decides: { document: '付款批次', of: ['payout.make', 'payout.result'], money: true },
  },
  'payout.reexport': { label: '重新生成银行文件', ...HIGH, roles: 'FINANCE_LEAD', ...payout, withoutSuperAdmin: true },
  'payout.result': { label: '导入回盘、登记付款结果', ...HIGH, roles: 'FINANCE', ...payout, withoutSuperAdmin: true },
  'tax.view': { label: '查看扣税与申报', roles: READERS, ...payout },
  'tax.declare': { label: '标记已申报', ...HIGH, roles: 'FINANCE_LEAD', ...payout, withoutSuperAdmin: true },
  'rule.payer': { label: '维护付款主体', ...HIGH, roles: 'FINANCE_LEAD', ...rule, withoutSuperAdmin: true },
});

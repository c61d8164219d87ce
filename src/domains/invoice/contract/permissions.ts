import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const page = { routes: ['invoice'] } as const;
const HIGH = { risk: 'HIGH' } as const;

export const invoicePermissions = declarePermissions('invoice', {
  'invoice.reveal': { label: '查看银行账号与邮箱明文', ...HIGH, roles: 'FINANCE|FINANCE_AUDIT|CASHIER', ...page },
  'payment.view': { label: '查看收付款单', roles: 'FINANCE|FINANCE_AUDIT|FINANCE_LEAD|CASHIER|AUDITOR', ...page },
  'payment.export': { label: '导出收付款单', roles: 'FINANCE|AUDITOR', ...page },
  'refund.make': { label: '新建退款、加入批次', ...HIGH, roles: 'FINANCE', ...page, withoutSuperAdmin: true },
  'refund.approve': {
    label: '审核退款与退款批次',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...page,
    withoutSuperAdmin: true,
    decides: { document: '退款与退款批次', of: ['refund.make', 'refund.execute'], money: true },
  },
  'refund.execute': {
    label: '执行批量退款',
    ...HIGH,
    roles: 'CASHIER',
    ...page,
    withoutSuperAdmin: true,
    decides: { document: '退款批次', of: ['refund.make'], money: true },
  },
});

/** What machine callers may be given of invoice. */
export const invoiceMachinePermissions = declareMachinePermissions('invoice', {
  pay: { label: '系统调用：发起与查询订单支付' },
});

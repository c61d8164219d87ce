import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const shield = { routes: ['shieldAddCartGoodsConfig'] } as const;
const supplier = { routes: ['supplierSetup'] } as const;

const orders = { routes: ['orderManagement'] } as const;
const manualOrders = { routes: ['manualorders'] } as const;
const fulfilments = { routes: ['b2cOrder', 'bulkDelivery', 'logistics'] } as const;
const rules = { routes: ['orderAllocation'] } as const;

export const orderPermissions = declarePermissions('order', {
  'order.view': {
    label: '查看订单',
    roles: 'CLAIM_FIRST|CLAIM_SECOND|FULFIL_OPS|FULFIL_LEAD|PHARMACIST|CARD_OPS|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|SERVICE|AUDITOR',
    ...orders,
  },
  'order.edit': { label: '修改地址、备注', roles: 'FULFIL_OPS|SERVICE', ...orders },
  'order.cancel': { label: '取消订单', risk: 'HIGH', roles: 'FULFIL_LEAD|SERVICE', ...orders },
  'order.export': { label: '导出订单', roles: 'FULFIL_OPS|FULFIL_LEAD|FINANCE|AUDITOR', ...orders },
  'order.reveal': { label: '查看订单敏感信息明文', risk: 'HIGH', roles: 'FULFIL_OPS|FULFIL_LEAD|PHARMACIST|SERVICE', ...orders },
  'exception.handle': { label: '处理异常工单', roles: 'FULFIL_OPS|FULFIL_LEAD|CARD_OPS', ...orders },
  'exception.ignore': { label: '忽略异常工单', risk: 'HIGH', roles: 'FULFIL_LEAD', ...orders },
  'rx.audit': { label: '审方', risk: 'HIGH', roles: 'PHARMACIST', ...orders },
  'afterSale.make': { label: '发起、撤销售后', roles: 'FULFIL_OPS|SERVICE', ...orders },
  'afterSale.audit': {
    label: '审核售后',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD',
    ...orders,
    withoutSuperAdmin: true,
    decides: { document: '售后单', of: ['afterSale.make', 'afterSale.inspect'], money: true },
  },
  'afterSale.auditHigh': {
    label: '审核大额售后',
    risk: 'HIGH',
    roles: 'FINANCE_LEAD',
    ...orders,
    withoutSuperAdmin: true,
    decides: { document: '售后单', of: ['afterSale.make', 'afterSale.inspect'], money: true },
  },
  'afterSale.inspect': { label: '确认收货与验货', roles: 'FULFIL_OPS', ...orders },
  'allocation.assign': { label: '分配、撤回履约单', roles: 'FULFIL_OPS|FULFIL_LEAD', ...fulfilments },
  'fulfilment.push': { label: '推送履约单', roles: 'FULFIL_OPS', ...fulfilments },
  'fulfilment.ship': { label: '发货、签收、退回登记', roles: 'FULFIL_OPS', ...fulfilments },
  'fulfilment.undoShip': { label: '撤销发货', risk: 'HIGH', roles: 'FULFIL_LEAD', ...fulfilments },
  'supplier.operate': { label: '代供应商接单、拒单', roles: 'FULFIL_OPS', ...fulfilments },
  'supplier.view': { label: '查看供应商', roles: 'FULFIL_OPS|FULFIL_LEAD|FINANCE|AUDITOR', ...supplier },
  'supplier.edit': { label: '维护供应商', roles: 'FULFIL_OPS', ...supplier },
  'supplier.audit': {
    label: '审核供应商',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD',
    ...supplier,
    decides: { document: '供应商', of: ['supplier.edit'] },
  },
  'rule.view': { label: '查看拦截与分配规则', roles: 'FULFIL_OPS|FULFIL_LEAD|AUDITOR', ...rules },
  'rule.edit': { label: '编辑拦截与分配规则', roles: 'FULFIL_OPS', ...rules },
  'rule.approve': {
    label: '批准拦截与分配规则',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD',
    ...rules,
    decides: { document: '拦截与分配规则', of: ['rule.edit'] },
  },
  'shield.view': { label: '查看隐藏加购设置', roles: 'PRODUCT_OPS|FULFIL_OPS|FULFIL_LEAD|AUDITOR', ...shield },
  'shield.edit': { label: '维护隐藏加购设置', roles: 'FULFIL_OPS', ...shield },
  'manual.view': {
    label: '查看手工订单',
    roles: 'FULFIL_OPS|FULFIL_LEAD|CARD_OPS|CARD_AUDIT|AUDITOR',
    ...manualOrders,
  },
  'manual.edit': { label: '录入、提交手工订单', roles: 'FULFIL_OPS|CARD_OPS', ...manualOrders },
  'manual.review': {
    label: '复核手工订单',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD|CARD_AUDIT',
    ...manualOrders,
    decides: { document: '手工订单', of: ['manual.edit'], money: true },
  },
  'manual.reviewHigh': {
    label: '复核大额手工订单',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD',
    ...manualOrders,
    decides: { document: '手工订单', of: ['manual.edit'], money: true },
  },
  'manual.export': { label: '导出手工订单', roles: 'FULFIL_OPS|CARD_OPS|AUDITOR', ...manualOrders },
});

/** What machines of partners and counters may do over signed calls. */
export const orderMachinePermissions = declareMachinePermissions('order', {
  create: { label: '系统调用：下单' },
  view: { label: '系统调用：查询订单', risk: 'NORMAL' },
});

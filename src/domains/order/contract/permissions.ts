import { declarePermissions } from '#kernel/contract/permission.ts';

const shield = { routes: ['shieldAddCartGoodsConfig'] } as const;
const supplier = { routes: ['supplierSetup'] } as const;

export const orderPermissions = declarePermissions('order', {
  'supplier.view': { label: '查看供应商', roles: 'FULFIL_OPS|FULFIL_LEAD|FINANCE|AUDITOR', ...supplier },
  'supplier.edit': { label: '维护供应商', roles: 'FULFIL_OPS', ...supplier },
  'supplier.audit': {
    label: '审核供应商',
    risk: 'HIGH',
    roles: 'FULFIL_LEAD',
    ...supplier,
    decides: { document: '供应商', of: ['supplier.edit'] },
  },
  'shield.view': { label: '查看隐藏加购设置', roles: 'PRODUCT_OPS|FULFIL_OPS|FULFIL_LEAD|AUDITOR', ...shield },
  'shield.edit': { label: '维护隐藏加购设置', roles: 'FULFIL_OPS', ...shield },
});

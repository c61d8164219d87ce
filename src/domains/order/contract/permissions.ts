import { declarePermissions } from '#kernel/contract/permission.ts';

const shield = { routes: ['shieldAddCartGoodsConfig'] } as const;

export const orderPermissions = declarePermissions('order', {
  'shield.view': { label: '查看隐藏加购设置', roles: 'PRODUCT_OPS|FULFIL_OPS|FULFIL_LEAD|AUDITOR', ...shield },
  'shield.edit': { label: '维护隐藏加购设置', roles: 'FULFIL_OPS', ...shield },
});

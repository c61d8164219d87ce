import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import { orderPermissions as may } from './permissions.ts';

/** What the page of hidden goods opens; a row is named by its id. */
export const shieldWindows = {
  add: { name: 'order.shieldAdd', label: '新增隐藏加购设置', permission: may['shield.edit'], alone: true },
  edit: { name: 'order.shieldEdit', label: '编辑隐藏加购设置', permission: may['shield.edit'] },
  test: { name: 'order.shieldTest', label: '试算隐藏加购', permission: may['shield.view'], alone: true },
} as const satisfies Readonly<Record<string, PageWindow>>;

/** What the page of suppliers opens; a row is named by its id. */
export const supplierWindows = {
  add: { name: 'order.supplierAdd', label: '新增供应商', permission: may['supplier.edit'], alone: true },
  edit: { name: 'order.supplierEdit', label: '编辑供应商', permission: may['supplier.edit'] },
  view: { name: 'order.supplierView', label: '查看供应商', permission: may['supplier.view'] },
  audit: { name: 'order.supplierAudit', label: '审核供应商', permission: may['supplier.audit'] },
} as const satisfies Readonly<Record<string, PageWindow>>;

/** What the pages of parts, parcels and tables of parcels open; a row is named by its id. */
export const fulfilmentWindows = {
  view: { name: 'order.fulfilmentView', label: '查看履约单', permission: may['order.view'] },
  ship: { name: 'order.fulfilmentShip', label: '登记发货', permission: may['fulfilment.ship'] },
  picking: { name: 'order.fulfilmentPicking', label: '打印拣货单', permission: may['fulfilment.ship'] },
  parcel: { name: 'order.parcelView', label: '查看物流轨迹', permission: may['order.view'] },
  bulk: { name: 'order.bulkDelivery', label: '批量发货', permission: may['fulfilment.ship'], alone: true },
} as const satisfies Readonly<Record<string, PageWindow>>;

/** What the page of allocation rules opens; a row is named by its id. */
export const allocationWindows = {
  add: { name: 'order.allocationRuleAdd', label: '新增分配规则', permission: may['rule.edit'], alone: true },
  edit: { name: 'order.allocationRuleEdit', label: '编辑分配规则', permission: may['rule.edit'] },
  view: { name: 'order.allocationRuleView', label: '查看分配规则', permission: may['rule.view'] },
  audit: { name: 'order.allocationRuleAudit', label: '审批分配规则', permission: may['rule.approve'] },
  trial: { name: 'order.allocationTrial', label: '试分配', permission: may['allocation.assign'], alone: true },
} as const satisfies Readonly<Record<string, PageWindow>>;

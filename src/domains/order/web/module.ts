import { lazy } from 'react';
import { lowcodePage } from '#kernel/web/lowcodePlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fillWindow } from '#kernel/web/pageWindows.tsx';
import { allocationWindows, fulfilmentWindows, shieldWindows, supplierWindows } from '../contract/pageWindows.ts';
import { orderRoutes } from '../contract/routes.ts';

/** The browser half of order. */
export const orderWeb: WebModule = {
  domain: 'order',
  pages: pagesOf(orderRoutes, {
    '/orderManagement': () => import('./orders/OrderManagement.tsx'),
    '/shieldAddCartGoodsConfig': lowcodePage,
    '/supplierSetup': lowcodePage,
    '/orderAllocation': lowcodePage,
    '/b2cOrder': lowcodePage,
    '/bulkDelivery': lowcodePage,
    '/logistics': lowcodePage,
    '/manualorders': () => import('./manual/ManualOrders.tsx'),
  }),
  slots: [
    fillWindow(
      shieldWindows.add,
      lazy(async () => ({ default: (await import('./shield/ShieldForm.tsx')).NewShield })),
    ),
    fillWindow(
      shieldWindows.edit,
      lazy(async () => ({ default: (await import('./shield/ShieldForm.tsx')).ShieldWindow })),
    ),
    fillWindow(
      shieldWindows.test,
      lazy(async () => ({ default: (await import('./shield/ShieldTest.tsx')).ShieldTest })),
    ),
    fillWindow(
      supplierWindows.add,
      lazy(async () => ({ default: (await import('./supplier/SupplierForm.tsx')).NewSupplier })),
    ),
    fillWindow(
      supplierWindows.edit,
      lazy(async () => ({ default: (await import('./supplier/SupplierForm.tsx')).SupplierEdit })),
    ),
    fillWindow(
      supplierWindows.view,
      lazy(async () => ({ default: (await import('./supplier/SupplierDrawer.tsx')).SupplierDrawer })),
    ),
    fillWindow(
      supplierWindows.audit,
      lazy(async () => ({ default: (await import('./supplier/SupplierDrawer.tsx')).SupplierAudit })),
    ),
    fillWindow(
      fulfilmentWindows.view,
      lazy(async () => ({ default: (await import('./fulfilment/FulfilmentDrawer.tsx')).FulfilmentDrawer })),
    ),
    fillWindow(
      fulfilmentWindows.ship,
      lazy(async () => ({ default: (await import('./fulfilment/ShipForm.tsx')).ShipWindow })),
    ),
    fillWindow(
      fulfilmentWindows.picking,
      lazy(async () => ({ default: (await import('./fulfilment/PickingList.tsx')).PickingList })),
    ),
    fillWindow(
      fulfilmentWindows.parcel,
      lazy(async () => ({ default: (await import('./logistics/ParcelDrawer.tsx')).ParcelDrawer })),
    ),
    fillWindow(
      fulfilmentWindows.bulk,
      lazy(async () => ({ default: (await import('./logistics/BulkDelivery.tsx')).BulkDelivery })),
    ),
    fillWindow(
      allocationWindows.add,
      lazy(async () => ({ default: (await import('./rules/AllocationRuleForm.tsx')).NewAllocationRule })),
    ),
    fillWindow(
      allocationWindows.edit,
      lazy(async () => ({ default: (await import('./rules/AllocationRuleForm.tsx')).AllocationRuleEdit })),
    ),
    fillWindow(
      allocationWindows.view,
      lazy(async () => ({ default: (await import('./rules/AllocationRuleDrawer.tsx')).AllocationRuleDrawer })),
    ),
    fillWindow(
      allocationWindows.audit,
      lazy(async () => ({ default: (await import('./rules/AllocationRuleDrawer.tsx')).AllocationRuleAudit })),
    ),
    fillWindow(
      allocationWindows.trial,
      lazy(async () => ({ default: (await import('./rules/AllocationTrial.tsx')).AllocationTrial })),
    ),
  ],
};

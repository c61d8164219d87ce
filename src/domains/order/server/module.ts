import {
  fulfilmentShipped,
  fulfilmentSigned,
  manualOrderPosted,
  orderCancelled,
  orderClosed,
  orderCompleted,
  orderCreated,
  orderPaid,
  refundApproved,
} from '#events/order.ts';
import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { Kernel, ServerModule } from '#kernel/server/kernel.ts';
import { orderDictionaries } from '../contract/dictionaries.ts';
import { orderErrors } from '../contract/errors.ts';
import { allocationWindows, fulfilmentWindows, shieldWindows, supplierWindows } from '../contract/pageWindows.ts';
import { orderPermissions } from '../contract/permissions.ts';
import { orderRoutes } from '../contract/routes.ts';
import { supplierMachine } from '../contract/supplierStates.ts';
import type { Channels } from './channels.ts';
import { orderSets } from './pages/datasets.ts';
import { shieldPage } from './pages/shield.ts';
import { supplierPage } from './pages/supplier.ts';
import { b2cOrderPage } from './pages/b2cOrder.ts';
import { bulkDeliveryPage } from './pages/bulkDelivery.ts';
import { fulfilmentSets } from './pages/fulfilmentSets.ts';
import { logisticsPage } from './pages/logistics.ts';
import { declareFiles } from './files.ts';
import { shieldModule } from './shield/module.ts';
import { orderDocumentDictionaries } from '../contract/orderDictionaries.ts';
import { orderMachine } from '../contract/orderStates.ts';
import { exceptionMachine } from '../contract/exceptionStates.ts';
import { afterSaleMachine } from '../contract/afterSaleStates.ts';
import { waitingParties } from '../contract/rules/waiting.ts';
import { orderMachinePermissions } from '../contract/permissions.ts';
import { writeManuals } from './demo/manual.ts';
import { writeParts } from './demo/writeParts.ts';
import { writeOrders } from './demo/writeOrders.ts';
import { afterSalesModule } from './afterSales/module.ts';
import { ordersModule } from './orders/module.ts';
import { desk } from './orders/access.ts';
import { supplierModule } from './supplier/module.ts';
import { fulfilmentMachine } from '../contract/fulfilmentStates.ts';
import { allocationTriggers, strategies, supplierFaults } from '../contract/rules/allocation.ts';
import { allocationModule } from './allocation/module.ts';
import { logisticsModule } from './logistics/module.ts';
import { exceptionsModule } from './exceptions/module.ts';
import { fulfilmentModule } from './fulfilment/module.ts';
import { ruleMachine, rulePhases } from '../contract/ruleStates.ts';
import { orderAllocationPage } from './pages/orderAllocation.ts';
import { ruleSets } from './pages/ruleSets.ts';
import { rulesModule } from './rules/module.ts';
import { manualOrderDictionaries } from '../contract/manualOrderDictionaries.ts';
import { manualOrderMachine } from '../contract/manualOrderStates.ts';
import { manualModule } from './manual/module.ts';

/** Prescriptions that somebody leaves unread. */
export const openRx = desk.openWork;

/** What people may buy, who delivers it, and later their orders from the prescription to the delivered box. */
export const orderModule = (kernel: Kernel, channels: Channels): ServerModule => {
  declareFiles();
  return {
    domain: 'order',
    permissions: Object.values({ ...orderPermissions, ...orderMachinePermissions }),
    routes: orderRoutes,
    errors: orderErrors,
    dictionaries: [
      ...orderDictionaries,
      ...orderDocumentDictionaries,
      waitingParties,
      supplierMachine.dictionary,
      orderMachine.dictionary,
      exceptionMachine.dictionary,
      afterSaleMachine.dictionary,
      fulfilmentMachine.dictionary,
      strategies,
      supplierFaults,
      allocationTriggers,
      ruleMachine.dictionary,
      rulePhases,
      ...manualOrderDictionaries,
      manualOrderMachine.dictionary,
    ],
    events: [
      orderCreated,
      orderPaid,
      orderCompleted,
      orderCancelled,
      orderClosed,
      refundApproved,
      fulfilmentShipped,
      fulfilmentSigned,
      manualOrderPosted,
    ],
    ...joinFeatures(kernel, [
      shieldModule(channels),
      supplierModule,
      ordersModule,
      afterSalesModule,
      allocationModule,
      fulfilmentModule,
      exceptionsModule,
      logisticsModule,
      rulesModule,
      manualModule,
    ]),
    demoAfter: writeOrders,
    demoLast: async (demo) => {
      await writeParts(demo);
      await writeManuals(demo);
    },
    datasets: [...orderSets, ...fulfilmentSets, ...ruleSets],
    builtinPages: [shieldPage, supplierPage, b2cOrderPage, bulkDeliveryPage, logisticsPage, orderAllocationPage],
    pageWindows: [shieldWindows, supplierWindows, fulfilmentWindows, allocationWindows].flatMap((all) => Object.values(all)),
  };
};

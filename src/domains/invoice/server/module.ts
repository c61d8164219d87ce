import { refundFailed, refundSucceeded, paymentSucceeded } from '#events/invoice.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { joinFeatures } from '#kernel/server/featureModule.ts';
import { invoiceDictionaries } from '../contract/dictionaries.ts';
import { invoiceErrors } from '../contract/errors.ts';
import { invoiceMachinePermissions, invoicePermissions } from '../contract/permissions.ts';
import { invoiceRoutes } from '../contract/routes.ts';
import { invoiceMachines } from '../contract/states.ts';
import { batchesModule } from './batches/module.ts';
import { writeInvoiceDemo } from './demo/writeDemo.ts';
import { declareFiles } from './files.ts';
import { paymentsModule } from './payments/module.ts';
import { refundsModule } from './refunds/module.ts';

/** Money of orders: taken in through pay channels, and given back. */
export const invoiceModule: ServerModuleFactory = (kernel) => {
  declareFiles();
  return {
    domain: 'invoice',
    permissions: [...Object.values(invoicePermissions), ...Object.values(invoiceMachinePermissions)],
    routes: invoiceRoutes,
    errors: invoiceErrors,
    dictionaries: [...invoiceDictionaries, ...invoiceMachines.map(({ dictionary }) => dictionary)],
    events: [paymentSucceeded, refundSucceeded, refundFailed],
    ...joinFeatures(kernel, [paymentsModule, refundsModule, batchesModule]),
    demoAfter: writeInvoiceDemo,
  };
};

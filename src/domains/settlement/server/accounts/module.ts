import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { doctorConsumers } from '../doctors/consumers.ts';
import { freeze, modify, reveal, unfreeze, verify } from './handlers.ts';
import { freezeConsumers } from './ledgerFreezes.ts';
import { accountDetail, accountExport, accountList } from './list.ts';

/** To which account a doctor is paid, what he is owed, and whether he may be paid. */
export const accountsModule: FeatureModule = {
  handlers: (kernel) => [accountList(kernel).handler, accountDetail(kernel), modify(kernel), verify, freeze, unfreeze, reveal(kernel)],
  exports: (kernel) => [accountExport(kernel)],
  consumers: (kernel) => [...doctorConsumers, ...freezeConsumers(kernel)],
};

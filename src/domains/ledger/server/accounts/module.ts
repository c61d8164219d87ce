import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { accountDetail, freezeAccount, revealOwner, unfreezeAccount } from './handlers.ts';
import { accountExport, accountList, accountTotal, chartOf } from './list.ts';

export const accountsModule: FeatureModule = {
  handlers: (kernel) => [
    chartOf(kernel),
    accountList(kernel).handler,
    accountTotal(kernel),
    accountDetail(kernel),
    freezeAccount(kernel),
    unfreezeAccount(kernel),
    revealOwner,
  ],
  exports: (kernel) => [accountExport(kernel)],
};

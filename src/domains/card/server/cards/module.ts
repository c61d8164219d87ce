import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { cardExport, cardList, cardTotal } from './cardList.ts';
import { details, reveal } from './details.ts';
import { cardConsumers, expiryNotices } from './events.ts';
import { freeze, freezeMany, unfreeze } from './freeze.ts';
import { options } from './options.ts';
import { activate, bind, resetSecret } from './secrets.ts';
import { statement, statementFile } from './statement.ts';

/** Cards one by one: who holds them, what is on them, what stops them. */
export const cardsModule: FeatureModule = {
  handlers: (kernel) => [
    cardList(kernel).handler,
    cardTotal(kernel),
    details(kernel),
    reveal(kernel),
    options,
    statement(kernel),
    statementFile(kernel),
    freeze(kernel),
    unfreeze(kernel),
    freezeMany(kernel),
    activate(kernel),
    resetSecret(kernel),
    bind(kernel),
  ],
  exports: (kernel) => [cardExport(kernel)],
  consumers: cardConsumers,
  jobs: () => [expiryNotices() as JobDeclaration<never>],
};

import { command } from '#kernel/server/handler.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { disableCardType, enableCardType } from '../../contract/calls/types.ts';
import { productConsumer } from './products.ts';
import { typeList, typeExport, add, modify, changeTypeState, copy, versions } from './handlers.ts';

/** Card types: what lists, batches and cards are made of. */
export const typesModule: FeatureModule = {
  handlers: (kernel) => [
    typeList.handler,
    add,
    modify,
    command(enableCardType, (input, ctx) => changeTypeState(kernel, ctx, 'enable', input)),
    command(disableCardType, (input, ctx) => changeTypeState(kernel, ctx, 'disable', input)),
    copy,
    versions,
  ],
  consumers: (kernel) => [productConsumer(kernel)],
  exports: [typeExport],
};

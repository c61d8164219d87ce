import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { exportAssociatedProduct } from '../../contract/links/calls.ts';
import { addAppended, appendable, appendedList, modifyAppended, removeAppended } from './appended.ts';
import { associatedList, add, modify, remove, graph } from './associated.ts';

/** Relations between products: riders with their shared purses, and all others. */
export function linksModule(kernel: Kernel): FeatureModule {
  const list = associatedList(kernel);
  const exported = listExport(list, {
    call: exportAssociatedProduct,
    title: '关联产品',
    routeKey: 'associatedProduct',
    columns: [
      'mainProductName',
      'linkType',
      'otherProductName',
      'summary',
      'effectiveFrom',
      'effectiveTo',
      'status',
      'updatedByName',
      'updatedAt',
    ],
  });
  return {
    handlers: [appendedList, appendable, addAppended, modifyAppended, removeAppended, list.handler, add, modify, remove, graph],
    exports: [exported],
  };
}

import type { Kernel } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { diffVersions, quote } from './diff.ts';
import { productCounts, productExport, productList } from './list.ts';
import { productOptions } from './options.ts';
import { add, changeStatus, copy, detail, modify, remove } from './products.ts';
import { addVersion, auditVersion, checkVersion, modifyVersion, removeVersion, versionDetail } from './versions.ts';

/** Products with their versions. */
export function productsModule(kernel: Kernel): FeatureModule {
  const list = productList(kernel);
  const exported = productExport(list);
  return {
    handlers: [
      productOptions,
      list.handler,
      productCounts,
      add(kernel),
      modify(kernel),
      remove,
      copy(kernel),
      changeStatus,
      detail(kernel),
      addVersion,
      modifyVersion,
      removeVersion,
      versionDetail(kernel),
      checkVersion,
      auditVersion,
      diffVersions,
      quote,
    ],
    exports: [exported],
  };
}

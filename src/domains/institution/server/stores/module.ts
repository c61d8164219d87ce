import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { storeGoodsImporter } from '../transfer/storeGoodsImporter.ts';
import { storeImporter } from '../transfer/storeImporter.ts';
import { chainExport } from './chainList.ts';
import { changeExport } from './changeList.ts';
import { goodsExport } from './goods.ts';
import { storeHandlers } from './handlers.ts';
import { storeExport } from './list.ts';

/** Drugstores, their chains, prices and changes. */
export const storesModule: FeatureModule = {
  handlers: storeHandlers,
  exports: ({ secrets }) => [storeExport, goodsExport, chainExport(secrets), changeExport(secrets)],
  importers: [storeImporter, storeGoodsImporter],
};

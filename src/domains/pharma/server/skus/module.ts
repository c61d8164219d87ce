import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { querySkuList } from '../../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { attachments } from '../attachments.ts';
import { own } from '../database.ts';
import { priceImporter } from '../imports/priceImporter.ts';
import { reimburseImporter } from '../imports/reimburseImporter.ts';
import { addPrice, revokePrice } from './priceHandlers.ts';
import { priceExport, priceList } from './priceList.ts';
import { saveReimburseRow } from './reimburse.ts';
import { reimburseExport, reimburseList } from './reimburseList.ts';
import { addSkuHandler, changeSku, modifySkuHandler, skusWhere } from './skuHandlers.ts';

/** What is sold of a medicine, at which price, and how it is reimbursed. */
export const skusModule: FeatureModule = {
  handlers: [
    query(querySkuList, ({ medicineId }, { db, today, has }) =>
      skusWhere(own(db), { medicineId }, today, { market: has(may['price.view']), supply: has(may['price.supply']) }),
    ),
    addSkuHandler,
    modifySkuHandler,
    changeSku,
    priceList.handler,
    addPrice,
    revokePrice,
    reimburseList.handler,
    saveReimburseRow(attachments),
  ],
  exports: [priceExport, reimburseExport],
  importers: [priceImporter, reimburseImporter],
};

import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { registerRealNameFloors } from '#domains/patient/server/index.ts';
import { getProductLines } from '#domains/pharma/server/index.ts';
import { ITEM_FILE, previewServiceItemBands, queryServiceItemDetail } from '../../contract/calls/items.ts';
import { itemMachine } from '../../contract/states.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { changeItemState, removeItem, sortItem } from './actions.ts';
import { outsideBands } from './bands.ts';
import { ITEM_TARGET, registerItemFiles } from './files.ts';
import { realNameFloors } from './read.ts';
import { republishItemJob } from './republish.ts';
import { itemById, itemExport, itemList } from './rows.ts';
import { addItem, modifyItem } from './save.ts';

export const itemsModule: FeatureModule = {
  handlers: () => {
    registerItemFiles();
    registerRealNameFloors(realNameFloors);
    return [
      itemList.handler,
      query(queryServiceItemDetail, async ({ id }, ctx) => {
        const item = await itemById(ctx.db, id, ctx.now);
        if (!item) throw refuse(platformErrors.NOT_FOUND);
        const files = await fileBriefs(
          ctx.db,
          [item.coverFileId, item.agreementFileId].filter((fileId) => fileId !== null),
          { purpose: ITEM_FILE },
        );
        const [line] = item.productLineId === null ? [] : await getProductLines(ctx.db, [item.productLineId]);
        const fileOf = (fileId: string | null) => files.find((file) => file.fileId === fileId) ?? null;
        return {
          item,
          cover: fileOf(item.coverFileId),
          agreement: fileOf(item.agreementFileId),
          productLineName: line?.name ?? null,
          trail: await trailOf(ctx.db, ITEM_TARGET, id),
          allowedActions: itemMachine.allowed(item.state, ctx.has),
        };
      }),
      query(previewServiceItemBands, ({ id, priceBands }, ctx) => outsideBands(ctx, id, priceBands)),
      addItem,
      modifyItem,
      changeItemState,
      removeItem,
      sortItem,
    ];
  },
  jobs: [republishItemJob],
  exports: [itemExport],
};

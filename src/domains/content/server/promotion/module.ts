import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writePromotionDemo } from './demo.ts';
import { promotionExport, promotionList } from './list.ts';
import { preview } from './preview.ts';
import { add, modify, remove, sort } from './tags.ts';

/** What customers see on the cards of medicines. */
export const promotionModule: FeatureModule = {
  handlers: (kernel) => [promotionList.handler, add, modify, remove, sort, preview(kernel)],
  exports: [promotionExport],
  demo: writePromotionDemo,
};

import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { queryDrugCategoryTree } from '../../contract/calls/categories.ts';
import { own } from '../database.ts';
import { addCategory, mergeCategory, modifyCategory, moveCategory, removeCategory } from './categoryHandlers.ts';
import { categoryTree } from './categoryRows.ts';

export const categoriesModule: FeatureModule = {
  handlers: [
    query(queryDrugCategoryTree, ({ kind }, { db }) => categoryTree(own(db), kind)),
    addCategory,
    modifyCategory,
    moveCategory,
    removeCategory,
    mergeCategory,
  ],
};

import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { cardRoutes } from '../contract/routes.ts';

/** The browser half of card. */
export const cardWeb: WebModule = {
  domain: 'card',
  pages: pagesOf(cardRoutes, {
    '/cardManagement': () => import('./types/CardManagement.tsx'),
    '/cardBatchManagement': () => import('./batches/CardBatchManagement.tsx'),
    '/cardGrantCancel': () => import('./use/CardGrantCancel.tsx'),
    '/cardCancel': () => import('./use/CardCancel.tsx'),
    '/storedCardBatchManage': () => import('./settle/StoredCardBatchManage.tsx'),
  }),
};

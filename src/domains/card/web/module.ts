import { lowcodePage } from '#kernel/web/lowcodePlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { cardRoutes } from '../contract/routes.ts';

/** The browser half of card. */
export const cardWeb: WebModule = {
  domain: 'card',
  pages: pagesOf(cardRoutes, {
    '/cardManagement': () => import('./types/CardManagement.tsx'),
    '/cardBatchManagement': () => import('./batches/CardBatchManagement.tsx'),
    '/cardBatchManagementDetail': () => import('./batches/CardBatchManagementDetail.tsx'),
    '/cardInformation': () => import('./cards/CardInformation.tsx'),
    '/cardInformationDetail': () => import('./cards/CardInformationDetail.tsx'),
    '/valueCardGrant': () => import('./grants/ValueCardGrant.tsx'),
    '/cardGrantCancel': () => import('./use/CardGrantCancel.tsx'),
    '/cardCancel': () => import('./use/CardCancel.tsx'),
    '/tHmoCardSettlement': lowcodePage,
    '/storedCardBatchManage': () => import('./settle/StoredCardBatchManage.tsx'),
  }),
};

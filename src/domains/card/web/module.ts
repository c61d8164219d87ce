import { lazy } from 'react';
import { lowcodePage } from '#kernel/web/lowcodePlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fillWindow } from '#kernel/web/pageWindows.tsx';
import { billWindows } from '../contract/pageWindows.ts';
import { cardRoutes } from '../contract/routes.ts';

const windows = () => import('./settle/billWindows.tsx');

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
  slots: [
    fillWindow(
      billWindows.lines,
      lazy(async () => ({ default: (await windows()).LinesWindow })),
    ),
    fillWindow(
      billWindows.confirm,
      lazy(async () => ({ default: (await windows()).ConfirmWindow })),
    ),
    fillWindow(
      billWindows.statement,
      lazy(async () => ({ default: (await windows()).StatementWindow })),
    ),
  ],
};

import { lazy } from 'react';
import { insurerPlace, insurersPlace, productPlace } from '#kernel/web/kit/pickers.tsx';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { claimRuleRoutes, controlRoutes, productRoutes, statisticsRoutes } from '../contract/routes.ts';

/** The browser half of insurance. */
export const insuranceWeb: WebModule = {
  domain: 'insurance',
  pages: [
    ...pagesOf(productRoutes, {
      '/productHome': () => import('./products/ProductHome.tsx'),
      '/appedProduct': { load: () => import('./links/AppedProduct.tsx'), record: ['productId'] },
      '/associatedProduct': () => import('./links/AssociatedProduct.tsx'),
    }),
    ...pagesOf(claimRuleRoutes, {
      '/lookClaimRules': {
        load: () => import('./rules/LookClaimRules.tsx'),
        record: ['productCode', 'versionNo', 'productVersionId', 'claimId'],
      },
    }),
    ...pagesOf(controlRoutes, {
      '/controlModule': () => import('./controls/ControlModule.tsx'),
      '/controlRules': { load: () => import('./controls/ControlRules.tsx'), record: ['ruleId', 'moduleId'] },
    }),
    ...pagesOf(statisticsRoutes, { '/dataStatistics': () => import('./statistics/DataStatistics.tsx') }),
  ],
  slots: [
    fill(
      insurersPlace,
      lazy(async () => ({ default: (await import('./shared/OptionSelect.tsx')).InsurersSelect })),
    ),
    fill(
      insurerPlace,
      lazy(async () => ({ default: (await import('./shared/OptionSelect.tsx')).InsurerSelect })),
    ),
    fill(
      productPlace,
      lazy(async () => ({ default: (await import('./shared/OptionSelect.tsx')).ProductSelect })),
    ),
  ],
};

import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { enrolmentRoutes } from '../contract/routes.ts';

/** The browser half of enrolment. */
export const enrolmentWeb: WebModule = {
  domain: 'enrolment',
  pages: pagesOf(enrolmentRoutes, {
    '/signContract': () => import('./applies/SignContract.tsx'),
    '/signContractDetail': () => import('./applies/EnrolReview.tsx'),
    '/signContractDetailSaas': () => import('./applies/EnrolReview.tsx'),
    '/hmoSignContractInfo': () => import('./applies/EnrolReview.tsx'),
  }),
};

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
    '/specialUser': () => import('./marks/SpecialUser.tsx'),
    '/updateSpecialUser': () => import('./marks/UpdateSpecialUser.tsx'),
    '/otherMaterialVerifyList': () => import('./materials/OtherMaterialVerifyList.tsx'),
    '/otherMaterialVerifyInfo': () => import('./materials/OtherMaterialVerifyInfo.tsx'),
    '/signContractList': () => import('./contracts/SignContractList.tsx'),
    '/signContractListDetail': { load: () => import('./contracts/SignContractListDetail.tsx'), record: ['contractId'] },
    '/signContractPayDetail': () => import('./contracts/SignContractPayDetail.tsx'),
  }),
};

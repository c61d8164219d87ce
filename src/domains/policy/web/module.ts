import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { policyRoutes } from '../contract/routes.ts';

/** The browser half of policy. */
export const policyWeb: WebModule = {
  domain: 'policy',
  pages: pagesOf(policyRoutes, {
    '/policyManage': () => import('./policies/PolicyManage.tsx'),
    '/inventoryListManagement': () => import('./batches/InventoryListManagement.tsx'),
    '/insurancePremiumOrderInquiry': () => import('./premium/InsurancePremiumOrderInquiry.tsx'),
    '/insurancePremiumOrderAudit': () => import('./premium/InsurancePremiumOrderAudit.tsx'),
    '/queryTable': () => import('./query/QueryTable.tsx'),
    '/abnormalPolicyData': () => import('./abnormal/AbnormalPolicyData.tsx'),
  }),
};

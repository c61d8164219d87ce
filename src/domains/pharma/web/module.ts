import { pagesOf } from '#kernel/web/module.ts';
import type { WebModule } from '#kernel/web/module.ts';
import { pharmaRoutes } from '../contract/routes.ts';

/** The browser half of pharma. */
export const pharmaWeb: WebModule = {
  domain: 'pharma',
  pages: pagesOf(pharmaRoutes, {
    '/agentList': () => import('./agents/AgentList.tsx'),
    '/agentDetail': { load: () => import('./agents/AgentDetail.tsx'), record: ['agentId'] },
    '/pharmaceuticalEnterprises': () => import('./companies/PharmaceuticalEnterprises.tsx'),
    '/pharmaceuticalEnterprisesProductLine': () => import('./lines/ProductLines.tsx'),
    '/drugCategory': () => import('./categories/DrugCategory.tsx'),
    '/medicineManagementTable': () => import('./medicines/MedicineManagementTable.tsx'),
  }),
};

import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { institutionRoutes } from '../contract/routes.ts';

export const institutionWeb: WebModule = {
  domain: 'institution',
  pages: pagesOf(institutionRoutes, {
    '/hospitalManagementAudit': () => import('./audit/HospitalAudit.tsx'),
    '/hospitalManagementMaintenance': () => import('./maintenance/HospitalMaintenance.tsx'),
    '/hospitalList': () => import('./hospitals/HospitalList.tsx'),
    '/drugstoreManagement': () => import('./stores/DrugstoreManagement.tsx'),
  }),
};

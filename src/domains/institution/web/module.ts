import { lazy } from 'react';
import { chainPlace, hospitalPlace, hospitalsPlace } from '#kernel/web/kit/pickers.tsx';
import { lowcodePage } from '#kernel/web/lowcodePlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { institutionRoutes } from '../contract/routes.ts';

export const institutionWeb: WebModule = {
  domain: 'institution',
  pages: pagesOf(institutionRoutes, {
    '/hospitalManagementAudit': () => import('./audit/HospitalAudit.tsx'),
    '/hospitalManagementMaintenance': () => import('./maintenance/HospitalMaintenance.tsx'),
    '/hospitalList': () => import('./hospitals/HospitalList.tsx'),
    '/drugstoreManagement': () => import('./stores/DrugstoreManagement.tsx'),
    '/tHospital': lowcodePage,
    '/tDrugstore': lowcodePage,
  }),
  slots: [
    fill(
      chainPlace,
      lazy(async () => ({ default: (await import('./stores/ChainPicker.tsx')).ChainPicker })),
    ),
    fill(
      hospitalPlace,
      lazy(() => import('./shared/HospitalPicker.tsx')),
    ),
    fill(
      hospitalsPlace,
      lazy(() => import('./shared/HospitalsPicker.tsx')),
    ),
  ],
};

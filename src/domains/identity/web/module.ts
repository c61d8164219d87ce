import { lazy } from 'react';
import { addressPlace, icd10Place, regionPlace, regionsPlace, staffPlace } from '#kernel/web/kit/pickers.tsx';
import { firstWork, bell, personalDrawer } from '#kernel/web/layout/slots.ts';
import { pagesOf } from '#kernel/web/module.ts';
import type { WebModule } from '#kernel/web/module.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { fill } from '#kernel/web/slots.tsx';
import { entryErrors } from '../contract/entryErrors.ts';
import { identityRoutes } from '../contract/routes.ts';

export { identityPorts } from './session/ports.ts';

/** The browser half of identity: pages before the shell, the header's places, the system pages. */
export const identityWeb: WebModule = {
  domain: 'identity',
  pages: pagesOf(identityRoutes, {
    '/login': () => import('./entry/Login.tsx'),
    '/loginCode': () => import('./entry/LoginCode.tsx'),
    '/editUsePwd': () => import('./entry/EditUsePwd.tsx'),
    '/noentry': () => import('./entry/Noentry.tsx'),
    '/userManagement': () => import('./userManagement/UserManagement.tsx'),
    '/roleManagement': () => import('./roleManagement/RoleManagement.tsx'),
    '/menuManagement': () => import('./menuManagement/MenuManagement.tsx'),
    '/operationLog': () => import('./operationLog/OperationLog.tsx'),
    '/systemStatus': () => import('./systemStatus/SystemStatus.tsx'),
    '/editRole': () => import('./roleManagement/EditRole.tsx'),
    '*': () => import('./entry/NotFound.tsx'),
  }),
  slots: [
    fill(
      bell,
      lazy(() => import('./shell/Bell.tsx')),
    ),
    fill(
      firstWork,
      lazy(() => import('./shell/FirstSteps.tsx')),
    ),
    // Mounted with the header, so that the dialog is at hand on every page of the main layout.
    fill(
      bell,
      lazy(() => import('./shell/StepUpHost.tsx')),
      200,
    ),
    fill(
      regionPlace,
      lazy(() => import('./pickers/RegionPicker.tsx')),
    ),
    fill(
      regionsPlace,
      lazy(() => import('./pickers/RegionsPicker.tsx')),
    ),
    fill(
      icd10Place,
      lazy(() => import('./pickers/Icd10Picker.tsx')),
    ),
    fill(
      addressPlace,
      lazy(() => import('./pickers/AddressInput.tsx')),
    ),
    fill(
      staffPlace,
      lazy(() => import('./pickers/StaffPicker.tsx')),
    ),
    fill(
      personalDrawer,
      lazy(() => import('./shell/PersonalDrawer.tsx')),
    ),
  ],
  // A restricted session may only change its password.
  onRefusal: { [entryErrors.MUST_CHANGE_PASSWORD.code]: () => goTo('/editUsePwd', {}, { replace: true }) },
};

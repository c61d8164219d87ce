import { lazy } from 'react';
import { patientPlace } from '#kernel/web/kit/pickers.tsx';
import { PATIENT_PARAM } from '#kernel/web/kit/PatientLink.tsx';
import { patientPanelPlace, realNameSwitchPlace } from '#kernel/web/kit/patientPlaces.ts';
import { shellLayer } from '#kernel/web/layout/slots.ts';
import type { WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';

/** The browser half of patient: no page of its own; the record opens over every page. */
export const patientWeb: WebModule = {
  domain: 'patient',
  pages: [],
  layers: [PATIENT_PARAM],
  slots: [
    fill(
      shellLayer,
      lazy(() => import('./shell/RecordHost.tsx')),
    ),
    fill(
      patientPlace,
      lazy(() => import('./picker/PatientPicker.tsx')),
    ),
    fill(
      patientPanelPlace,
      lazy(() => import('./panel/PatientPanel.tsx')),
    ),
    fill(
      realNameSwitchPlace,
      lazy(() => import('./realNameSwitch/RealNameSwitch.tsx')),
    ),
  ],
};

import { lazy } from 'react';
import { diseasePlace, doctorPlace, serviceItemPlace } from '#kernel/web/kit/pickers.tsx';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { realNameSwitchPlace } from '#kernel/web/kit/patientPlaces.ts';
import { fill, slotPage } from '#kernel/web/slots.tsx';
import { doctorRoutes } from '../contract/routes.ts';

export const doctorWeb: WebModule = {
  slots: [
    fill(
      doctorPlace,
      lazy(async () => ({ default: (await import('./pickers/pickers.tsx')).DoctorPicker })),
    ),
    fill(
      serviceItemPlace,
      lazy(async () => ({ default: (await import('./pickers/pickers.tsx')).ItemPicker })),
    ),
    fill(
      diseasePlace,
      lazy(async () => ({ default: (await import('./pickers/pickers.tsx')).DiseasePicker })),
    ),
  ],
  domain: 'doctor',
  pages: pagesOf(doctorRoutes, {
    '/doctorManagement': () => import('./doctorManagement/DoctorManagement.tsx'),
    '/helpDoctorManage': () => import('./helpDoctorManage/HelpDoctorManage.tsx'),
    '/doctorCard': () => import('./doctorCard/DoctorCard.tsx'),
    '/doctorManagementService': () => import('./doctorManagementService/DoctorManagementService.tsx'),
    '/doctorService': () => import('./doctorService/DoctorService.tsx'),
    '/serviceConfig': () => import('./serviceConfig/ServiceConfig.tsx'),
    '/payConsultation': () => import('./payConsultation/PayConsultation.tsx'),
    '/patientRealNameSwitch': slotPage(realNameSwitchPlace),
    '/doctorPatientChannelManagement': () => import('./doctorPatientChannelManagement/DoctorPatientChannelManagement.tsx'),
  }),
};

import { numberPlace, type NumberPlace } from '#kernel/web/router/numberPlace.ts';
import { queryAttributionChangeList } from '../contract/calls/attribution.ts';
import { queryPayConsultationList } from '../contract/calls/consultOrders.ts';
import { queryDoctorList } from '../contract/calls/doctors.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const doctorNumbers: readonly NumberPlace[] = [
  numberPlace('YS', '医生', queryDoctorList, 'doctorNo', { path: '/doctorManagement' }),
  numberPlace('ZX', '咨询订单', queryPayConsultationList, 'orderNo', { path: '/payConsultation' }),
  numberPlace('GS', '归属变更', queryAttributionChangeList, 'changeNo', { path: '/doctorPatientChannelManagement', tab: 'changes' }),
];

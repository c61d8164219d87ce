import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryAttributionChangeList } from './calls/attribution.ts';
import { queryPayConsultationList } from './calls/consultOrders.ts';
import { queryDoctorList } from './calls/doctors.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const doctorNumbers: readonly NumberPlace[] = [
  numberPlace('YS', '医生', queryDoctorList, 'doctorNo', { path: '/doctorManagement' }),
  numberPlace('ZX', '咨询订单', queryPayConsultationList, 'orderNo', { path: '/payConsultation' }),
  numberPlace('GS', '归属变更', queryAttributionChangeList, 'changeNo', { path: '/doctorPatientChannelManagement', tab: 'changes' }),
];

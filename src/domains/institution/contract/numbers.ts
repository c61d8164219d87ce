import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryHospitalList } from './hospitalCalls.ts';
import { queryDrugstoreList } from './storeCalls.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const institutionNumbers: readonly NumberPlace[] = [
  numberPlace('YY', '医院', queryHospitalList, 'hospitalNo', { path: '/hospitalManagementMaintenance' }),
  numberPlace('YD', '药房门店', queryDrugstoreList, 'storeNo', { path: '/drugstoreManagement' }),
];

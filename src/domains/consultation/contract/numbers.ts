import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryVisitRecordList } from './calls/visits.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const consultationNumbers: readonly NumberPlace[] = [
  numberPlace('WZ', '问诊', queryVisitRecordList, 'inquiryNo', { path: '/visitRecords' }),
  numberPlace('JZ', '就诊', queryVisitRecordList, 'visitNo', { path: '/visitRecords' }),
];

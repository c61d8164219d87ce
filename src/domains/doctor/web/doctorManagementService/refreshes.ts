import { queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import {
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryServiceOpeningList,
} from '../../contract/calls/openings.ts';

/** What shows something else after any act of the page. */
export const refreshes = [
  queryServiceOpeningList,
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryDoctorList,
  queryDoctorDetail,
];

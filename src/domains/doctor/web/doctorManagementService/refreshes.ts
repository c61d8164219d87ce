import { queryDoctorDetail, queryDoctorList } from '../../contract/doctorCalls.ts';
import {
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryServiceOpeningList,
} from '../../contract/openingCalls.ts';

/** What shows something else after any act of the page. */
export const refreshes = [
  queryServiceOpeningList,
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryDoctorList,
  queryDoctorDetail,
];

import { queryConsentList } from '../../contract/calls/consent.ts';
import {
  queryIndicatorCodes,
  queryIndicatorTrend,
  queryInspectionCheckList,
  queryPatientHistory,
  queryPatientModule,
  queryPatientOverview,
} from '../../contract/calls/ehr.ts';
import { queryPatientMergeList } from '../../contract/calls/merge.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis } from '../../contract/calls/panel.ts';
import { queryPrivacyRequestList } from '../../contract/calls/privacy.ts';
import { queryRealNameCheckList, queryRealNameHistory } from '../../contract/calls/realName.ts';
import { queryPatientDetail, queryPatientQueues } from '../../contract/calls/sufferer.ts';
import { personReads as person } from './personReads.ts';

/** Reads that show something else after a change of a part of the record. */
export const refreshes = {
  person,
  history: [queryPatientDetail, queryPatientHistory, queryHistoryDiagnosis, queryPatientOverview],
  modules: [queryPatientDetail, queryPatientModule, findEhrMedicineSuggested, queryPatientOverview],
  inspections: [
    queryPatientDetail,
    queryPatientModule,
    findEhrMedicineSuggested,
    queryPatientOverview,
    queryIndicatorCodes,
    queryIndicatorTrend,
    queryInspectionCheckList,
    queryPatientQueues,
  ],
  consents: [...person, queryConsentList],
  realName: [...person, queryRealNameHistory, queryRealNameCheckList, queryPatientQueues],
  merges: [...person, queryPatientMergeList, queryPatientQueues],
  privacy: [...person, queryPrivacyRequestList, queryPatientQueues],
};

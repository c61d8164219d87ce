import { querySuffererBaseInfoByUserId } from '../../contract/calls/panel.ts';
import { queryPatientDetail, queryPatientTrail } from '../../contract/calls/sufferer.ts';

/** Reads that show who the person is; apart from the others, so that the drawer's frame stays light. */
export const personReads = [queryPatientDetail, querySuffererBaseInfoByUserId, queryPatientTrail];

import { queryPerfChangeDetail, queryPerfChangeItemList, queryPerfChangeList, queryPerfPairs } from '../../contract/calls/perfChanges.ts';
import {
  queryPerfPeriods,
  queryPerfRelationList,
  queryPerfRelationTimeline,
  queryPerfStatisticsList,
  queryPerfUnboundList,
} from '../../contract/calls/perfRelations.ts';

/** What shows something else after a request was written or decided. */
export const perfReads = [
  queryPerfChangeList,
  queryPerfChangeDetail,
  queryPerfChangeItemList,
  queryPerfPairs,
  queryPerfRelationList,
  queryPerfRelationTimeline,
  queryPerfUnboundList,
  queryPerfStatisticsList,
  queryPerfPeriods,
];

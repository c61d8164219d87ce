import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import type { queryVisitRecordDetail } from '../../contract/calls/visits.ts';

export type Detail = AnswerOf<typeof queryVisitRecordDetail>;

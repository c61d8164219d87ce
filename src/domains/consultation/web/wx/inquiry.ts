import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import type { queryMyInquiry } from '../../contract/calls/participants.ts';

export type Inquiry = AnswerOf<typeof queryMyInquiry>;

export type SheetName = { name: 'rate' | 'refuse' | 'suggest' | 'patient' | 'record' | 'again' } | { name: 'report'; requestId?: string };

import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import type { queryMyInquiry } from '../../contract/calls/participants.ts';
import type { Group } from './access.ts';
import type { ChatModel } from './chatModel.ts';

export type Inquiry = AnswerOf<typeof queryMyInquiry>;

export type SheetName = { name: 'rate' | 'refuse' | 'suggest' | 'patient' | 'record' | 'again' } | { name: 'report'; requestId?: string };

export interface SheetProps {
  group: Group;
  inquiry: Inquiry;
  model: ChatModel;
  onClose(): void;
  onMoved(): void;
}

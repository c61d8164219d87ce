import { roleOf } from '../../../contract/im/ids.ts';
import type { ImMessage } from '../../../contract/im/types.ts';
import type { Inquiry } from './facts.ts';
import type { ChatPicture } from './state.ts';

/**
 * Whether what was just said may have moved the inquiry of the open conversation: the service tells of every step there, a doctor's
 * answer uses a round, and a patient who writes takes back a requested end.
 */
export function movesInquiry(chat: ChatPicture | null, messages: readonly Pick<ImMessage, 'conversationID' | 'from'>[]): boolean {
  const section = chat?.sections.inquiry;
  if (!chat || section?.state !== 'ready') return false;
  const { serverStatus } = section.data as Inquiry;
  return messages.some(({ conversationID, from }) => {
    if (conversationID !== chat.chosen.conversationID) return false;
    const role = roleOf(from);
    return role === 'DOCTOR' || (role === 'PATIENT' ? serverStatus === '3' : role !== 'ASSISTANT');
  });
}

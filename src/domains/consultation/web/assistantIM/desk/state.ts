import type { StoreApi } from 'zustand/vanilla';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { roleOf } from '../../../contract/im/ids.ts';
import type { ImConversation, ImMember, ImMessage } from '../../../contract/im/types.ts';
import type { ImEvents } from '../../../contract/im/client.ts';
import type { Chosen, PanelSection } from './choose.ts';
import type { Inquiry, NoteRow, QueueCounts, Runtime } from './facts.ts';
import type { Range } from './chat/timeline.ts';

/** One section of the panel: on its way, there, or failed. */
type SectionState = { state: 'waiting' } | { state: 'ready'; data: unknown } | { state: 'failed'; error: unknown };

/** The conversation that is open. */
export interface ChatPicture {
  chosen: Chosen;
  conversation: ImConversation | null;
  loading: boolean;
  /** Why its messages could not be read. */
  error: unknown;
  messages: readonly ImMessage[];
  range: Range;
  /** From where older ones are asked for; empty at the beginning of the conversation. */
  older: string;
  isCompleted: boolean;
  loadingOlder: boolean;
  /** An older part is shown whose end is not the conversation's; new messages are counted, not shown. */
  detached: boolean;
  /** New messages below what is seen. */
  below: number;
  /** Messages of others that came while one was writing or away, and that were not looked at yet. */
  unseen: readonly number[];
  members: readonly ImMember[];
  memberOffset: number;
  notes: readonly NoteRow[];
  /** Why the notes could not be read. */
  noteFault: unknown;
  typing: readonly string[];
  /** How far each member has read. */
  readBy: ReadonlyMap<string, number>;
  sections: Readonly<Partial<Record<PanelSection, SectionState>>>;
  /** A message to bring into view and to light up; `no` distinguishes two jumps to the same. */
  target: { seq: number; no: number } | null;
  quote: ImMessage | null;
  /** Set once the patient's record may be asked for. */
  record: { suffererOperatorId: string | null } | null;
}

export interface DeskState {
  phase: 'opening' | 'refused' | 'ready';
  fault: string | null;
  runtime: Runtime | null;
  net: ImEvents['netStateChange']['state'];
  kicked: ImEvents['kickedOut']['type'] | null;
  conversations: ReadonlyMap<string, ImConversation>;
  groups: ReadonlyMap<string, GroupRow>;
  queue: readonly GroupRow[];
  /** Why the queue could not be read. */
  queueFault: unknown;
  counts: QueueCounts;
  totalUnread: number;
  online: ReadonlySet<string>;
  chat: ChatPicture | null;
}

export const noDesk: DeskState = {
  phase: 'opening',
  fault: null,
  runtime: null,
  net: 'connecting',
  kicked: null,
  conversations: new Map(),
  groups: new Map(),
  queue: [],
  queueFault: null,
  counts: { queued: 0, serving: 0, snoozed: 0, overSla: 0 },
  totalUnread: 0,
  online: new Set(),
  chat: null,
};

export const freshChat = (chosen: Chosen, conversation: ImConversation | null): ChatPicture => ({
  chosen,
  conversation,
  loading: true,
  error: null,
  messages: [],
  range: { from: 0, to: 0 },
  older: '',
  isCompleted: false,
  loadingOlder: false,
  detached: false,
  below: 0,
  unseen: [],
  members: [],
  memberOffset: 0,
  notes: [],
  noteFault: null,
  typing: [],
  readBy: new Map(),
  sections: {},
  target: null,
  quote: null,
  record: null,
});

export type DeskStore = StoreApi<DeskState>;

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

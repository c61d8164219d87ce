import type { ChatFlag, SendTarget } from '../dictionaries.ts';

/** An open conversation as far as it matters where something is written. */
export interface Place {
  conversationId: string;
  /** null: the single chat with the assistant. */
  groupId: string | null;
}

/** The conversations of one person in which a scene lives (R1): groups, the single chat, or the groups and else the single chat. */
export function unitsOfScene<P extends Place>(chatFlag: ChatFlag, open: readonly P[]): P[] {
  const groups = open.filter(({ groupId }) => groupId !== null);
  const single = open.filter(({ groupId }) => groupId === null);
  if (chatFlag === 0) return groups;
  return chatFlag === 1 || groups.length === 0 ? single : groups;
}

/** Where a touch of a run goes: AUTO to the run's group as long as it is open, else to the single chat. */
export function channelOf<P extends Place>(target: SendTarget, run: { conversationId: string }, open: readonly P[]): P | null {
  const single = open.find(({ groupId }) => groupId === null) ?? null;
  if (target === 'SINGLE') return single;
  const own = open.find(({ conversationId, groupId }) => conversationId === run.conversationId && groupId !== null) ?? null;
  const group = own ?? open.find(({ groupId }) => groupId !== null) ?? null;
  return target === 'GROUP' ? group : (group ?? single);
}

import type { GroupRow } from '../../../contract/calls/shared.ts';
import { digestOf } from '../../../contract/im/cards.ts';
import { peerOf, roleOf } from '../../../contract/im/ids.ts';
import type { ImConversation } from '../../../contract/im/types.ts';
import type { ServerStatus } from '../../../contract/states.ts';
import type { Mode } from './choose.ts';

export const listTabs = ['mine', 'queued', 'snoozed', 'helping', 'all'] as const;
export type ListTab = (typeof listTabs)[number];

export interface ListFilters {
  kind?: 'DOCTOR' | 'DESK' | 'C2C' | undefined;
  serverStatus?: readonly ServerStatus[] | undefined;
  onlyUnread?: boolean | undefined;
  onlyOverSla?: boolean | undefined;
  tag?: string | undefined;
  doctorName?: string | undefined;
  suffererName?: string | undefined;
  orderBy?: 'lastMessage' | 'waiting' | 'sla' | undefined;
}

/** One line of the list: the chat's own picture, and what the queue knows of the group. */
export interface ListRow {
  id: ImConversation['conversationID'];
  mode: Mode;
  name: string;
  conversation: ImConversation | null;
  group: GroupRow | null;
}

export const groupIdOf = (conversationID: string): string | null => {
  const peer = peerOf(conversationID);
  return 'groupID' in peer ? peer.groupID : null;
};

const isOver = (group: GroupRow | null, now: number) => group?.slaDueAt != null && Date.parse(group.slaDueAt) < now;
const has = (text: string, part: string | undefined) => part === undefined || part.trim() === '' || text.includes(part.trim());

/** In which of the own tabs a conversation stands; the owner of somebody else's makes one a helper there. */
export function tabOf(row: Pick<ListRow, 'group'>, me: string): 'mine' | 'snoozed' | 'helping' {
  const { group } = row;
  if (group === null || group.ownerAssistantId === null) return 'mine';
  if (group.ownerAssistantId !== me) return 'helping';
  return group.workState === 'SNOOZED' ? 'snoozed' : 'mine';
}

/** Whether a row passes the filters; `doctorGroups` are those that the server found for the doctor's name. */
export function passes(row: ListRow, filters: ListFilters, now: number, doctorGroups: ReadonlySet<string> | null): boolean {
  const { group, conversation } = row;
  const kind = group?.kind ?? (row.id.startsWith('C2C') ? 'C2C' : row.id.startsWith('GROUPDZT') ? 'DESK' : 'DOCTOR');
  if (filters.kind && filters.kind !== kind) return false;
  if (filters.serverStatus?.length && !(group?.serverStatus && filters.serverStatus.includes(group.serverStatus))) return false;
  if (filters.onlyUnread && !(conversation && (conversation.unreadCount > 0 || conversation.isMarked))) return false;
  if (filters.onlyOverSla && !isOver(group, now)) return false;
  if (filters.tag && !group?.tags.includes(filters.tag)) return false;
  if (doctorGroups && !doctorGroups.has(groupIdOf(row.id) ?? '')) return false;
  return has(`${group?.suffererName ?? ''} ${row.name}`, filters.suffererName);
}

const timeOf = (row: ListRow) =>
  row.conversation?.lastMessageTime || (row.group?.lastMessageAt ? Date.parse(row.group.lastMessageAt) / 1000 : 0);
const late = Number.MAX_SAFE_INTEGER;
const at = (instant: string | null | undefined) => (instant ? Date.parse(instant) : late);

/** Pinned ones first; then the newest message, the longest wait, or what is due next. */
export function sorted(rows: readonly ListRow[], orderBy: ListFilters['orderBy']): ListRow[] {
  const order: Record<NonNullable<ListFilters['orderBy']>, (a: ListRow, b: ListRow) => number> = {
    lastMessage: (a, b) => timeOf(b) - timeOf(a),
    waiting: (a, b) => at(a.group?.waitingSince) - at(b.group?.waitingSince) || timeOf(b) - timeOf(a),
    sla: (a, b) =>
      (b.group?.priority ?? 0) - (a.group?.priority ?? 0) || at(a.group?.slaDueAt) - at(b.group?.slaDueAt) || timeOf(b) - timeOf(a),
  };
  const compare = order[orderBy ?? 'lastMessage'];
  return rows.toSorted(
    (a, b) =>
      Number(b.conversation?.isPinned ?? false) - Number(a.conversation?.isPinned ?? false) || compare(a, b) || (a.id < b.id ? -1 : 1),
  );
}

/** What a row says of its last message: the draft, a mention, else one line of the message. */
export function digestPieces(row: ListRow): { mark: string | null; text: string } {
  const { conversation, group } = row;
  if (conversation?.draftText) return { mark: '[草稿]', text: conversation.draftText };
  const last = conversation?.lastMessage;
  const text = last
    ? `${last.flow === 'in' && last.nick && roleOf(last.from) !== null && row.id.startsWith('GROUP') ? `${last.nick}：` : ''}${digestOf(last)}`
    : (group?.lastMessageDigest ?? '');
  return { mark: conversation?.isMentioned && (conversation.unreadCount ?? 0) > 0 ? '[有人@我]' : null, text };
}

export const nameOfConversation = (conversation: ImConversation): string =>
  conversation.groupProfile?.name ?? conversation.userProfile?.nick ?? conversation.conversationID;

/** Own conversations with what the queue knows of them. */
export const ownRows = (conversations: readonly ImConversation[], groups: ReadonlyMap<string, GroupRow>): ListRow[] =>
  conversations.map((conversation) => ({
    id: conversation.conversationID,
    mode: 'MEMBER',
    name: nameOfConversation(conversation),
    conversation,
    group: groups.get(groupIdOf(conversation.conversationID) ?? '') ?? null,
  }));

/** A row that the queue or the supervisor's list tells of; own ones are opened as a member. */
export function foreignRow(group: GroupRow, conversations: ReadonlyMap<string, ImConversation>): ListRow {
  const id: ListRow['id'] = `GROUP${group.groupId}`;
  return {
    id,
    mode: group.member ? 'MEMBER' : group.canTake ? 'PREVIEW' : 'WATCH',
    name: group.groupName,
    conversation: conversations.get(id) ?? null,
    group,
  };
}

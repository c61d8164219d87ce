import type { UserRole } from '../dictionaries.ts';
import type { ConversationID } from './types.ts';

export const SYSTEM_USER = 'SYSTEM';
export const USER_ID = /^(?:[PDA]\d{1,18}|SYSTEM)$/;
export const GROUP_ID = /^(?:YH|DZT)\d{8,18}$/;
export const CONVERSATION_ID = /^(?:GROUP(?:YH|DZT)\d{8,18}|C2C[PDA]\d{1,18})$/;

const ROLES: Readonly<Record<string, UserRole>> = { P: 'PATIENT', D: 'DOCTOR', A: 'ASSISTANT' };

/** Role of a chat account; null for the system. The id says it, nobody may change it. */
export const roleOf = (userID: string): UserRole | null => (userID === SYSTEM_USER ? null : (ROLES[userID[0] ?? ''] ?? null));

export const userIdOf = (role: UserRole, operatorId: string): string => `${role[0]}${operatorId}`;
export const operatorIdOf = (userID: string): string => userID.slice(1);

export const groupConversation = (groupID: string): ConversationID => `GROUP${groupID}`;
export const singleConversation = (userID: string): ConversationID => `C2C${userID}`;

/** Group or partner that a conversation id names. */
export const peerOf = (conversationID: string): { groupID: string } | { userID: string } =>
  conversationID.startsWith('GROUP') ? { groupID: conversationID.slice(5) } : { userID: conversationID.slice(3) };

/** The two accounts of a single chat in text order, as the store keeps them. */
export const pairOf = (one: string, other: string): [low: string, high: string] => (one < other ? [one, other] : [other, one]);

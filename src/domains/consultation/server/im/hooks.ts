import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import type { UserRole } from '../../contract/dictionaries.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';

/** Somebody about to write; he is a member, the conversation is live. */
export interface SendWish {
  convId: string;
  groupId: string | null;
  senderId: string;
  role: UserRole;
  type: MessageType;
  /** Files that the message carries. */
  fileIds: readonly string[];
}

/** A stored message, as the inquiry side hears of it. */
export interface StoredMessage {
  convId: string;
  groupId: string | null;
  /** Partner of a single chat's patient: `P…`; the patient of a group. */
  patientUserId: string | null;
  seq: number;
  senderId: string;
  role: UserRole | 'SYSTEM';
  type: MessageType;
  payload: MessagePayload;
  /** An engine's or the system's message answers nobody. */
  auto: boolean;
  countsUnread: boolean;
  sourceRef: string | null;
  atUserList: readonly string[];
  riskHit: readonly string[];
  at: Instant;
}

export interface RiskWords {
  block: readonly string[];
  flag: readonly string[];
}

/**
 * What the domain adds to the store. The defaults let the store stand alone: everybody who is a member may write,
 * nobody watches, no words are risky.
 */
export interface ImHooks {
  /**
   * Who of these may not write now, and what he reads. Asked inside the transaction, with the conversations locked; keep it to one
   * statement.
   * @returns refused wishes with their texts.
   */
  sendPolicy(tx: Tx, wishes: readonly SendWish[], now: Instant): Promise<ReadonlyMap<SendWish, string>>;
  /** Which of these carry files that their senders may not send. Asked for messages with files alone. */
  unusableFiles(tx: Tx, wishes: readonly SendWish[]): Promise<ReadonlySet<SendWish>>;
  /** Kept in memory by whoever fills this; read for every message. */
  riskWords(): RiskWords;
  /** In the transaction of the batch, after the messages were written: waiting times, rounds, jobs. Keep it to a few statements. */
  inBatch(writing: Writing, messages: readonly StoredMessage[], now: Instant): Promise<void>;
  /** After the commit, on the node that stored them. */
  onCommitted(messages: readonly StoredMessage[]): void;
  /** Whether somebody who is no member may read along (supervisors, the pool's preview). */
  mayWatch(db: Db, imUserId: string, groupId: string): Promise<boolean>;
  /** Chat accounts that joined a video room. */
  roomMembers(db: Db, roomId: number): Promise<readonly string[]>;
  /** Whether somebody may call into a group. */
  mayInvite(db: Db, imUserId: string, groupId: string): Promise<boolean>;
}

const nobody: ReadonlyMap<SendWish, string> = new Map();

export const standAlone: ImHooks = {
  sendPolicy: () => Promise.resolve(nobody),
  unusableFiles: () => Promise.resolve(new Set()),
  riskWords: () => ({ block: [], flag: [] }),
  inBatch: () => Promise.resolve(),
  onCommitted: () => {},
  mayWatch: () => Promise.resolve(false),
  roomMembers: () => Promise.resolve([]),
  mayInvite: () => Promise.resolve(true),
};

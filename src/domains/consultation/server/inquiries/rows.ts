import type { Selectable } from 'kysely';
import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { ServerStatus } from '../../contract/states.ts';
import { ownTx, type ConsultationTables } from '../database.ts';
import { lockConversations } from '../im/conversations/conversations.ts';

export type GroupRow = Selectable<ConsultationTables['consultationMedicalGroup']>;
export type InquiryRow = Omit<Selectable<ConsultationTables['consultationInquiry']>, 'serverStatus' | 'billing'> & {
  serverStatus: ServerStatus;
  billing: 'TIME' | 'REPLIES' | 'PERIOD';
};

export const inquiryOf = (row: Selectable<ConsultationTables['consultationInquiry']>): InquiryRow => ({
  ...row,
});

export interface LockedGroup {
  group: GroupRow;
  /** Number of its newest message. */
  lastSeq: number;
}

/**
 * Locks a group for a change, in the order that all writers keep: conversation, group, inquiry.
 * @throws Refusal SCM90040 when there is no such group.
 */
export async function lockGroup(tx: Tx, groupId: string): Promise<LockedGroup> {
  const { row: group, place } = await lockWithin(
    ownTx(tx).selectFrom('consultationMedicalGroup').selectAll().where('groupId', '=', groupId),
    { key: ({ convId }) => convId, lock: async (convId) => (await lockConversations(tx, [convId])).get(convId) },
  );
  if (!place) throw refuse(platformErrors.NOT_FOUND);
  return { group, lastSeq: place.lastSeq };
}

export interface LockedInquiry {
  inquiry: InquiryRow;
  /** Absent before the group opened. */
  place: LockedGroup | null;
}

/** The same for an inquiry and the group that it belongs to. */
export async function lockInquiry(tx: Tx, id: string): Promise<LockedInquiry> {
  const { row, place } = await lockWithin(ownTx(tx).selectFrom('consultationInquiry').selectAll().where('id', '=', id), {
    key: ({ groupId }) => groupId,
    lock: async (groupId) => (groupId === null ? null : await lockGroup(tx, groupId)),
  });
  return { inquiry: inquiryOf(row), place };
}

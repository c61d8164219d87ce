import type { Selectable } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { ServerStatus } from '../../contract/states.ts';
import { ownDb, ownTx, type ConsultationTables } from '../database.ts';
import { lockConversations } from '../im/conversations.ts';

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
  const found = await ownDb(tx).selectFrom('consultationMedicalGroup').select('convId').where('groupId', '=', groupId).executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND);
  const conversation = (await lockConversations(tx, [found.convId])).get(found.convId);
  const group = await ownTx(tx)
    .selectFrom('consultationMedicalGroup')
    .selectAll()
    .where('groupId', '=', groupId)
    .forUpdate()
    .executeTakeFirst();
  if (!conversation || !group) throw refuse(platformErrors.NOT_FOUND);
  return { group, lastSeq: conversation.lastSeq };
}

export interface LockedInquiry {
  inquiry: InquiryRow;
  /** Absent before the group opened. */
  place: LockedGroup | null;
}

/** The same for an inquiry and the group that it belongs to. */
export async function lockInquiry(tx: Tx, id: string): Promise<LockedInquiry> {
  const found = await ownDb(tx).selectFrom('consultationInquiry').select('groupId').where('id', '=', id).executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND);
  const place = found.groupId === null ? null : await lockGroup(tx, found.groupId);
  const row = await ownTx(tx).selectFrom('consultationInquiry').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  // It got its group while we looked: begin again, or the order of the locks would turn.
  return row.groupId === found.groupId ? { inquiry: inquiryOf(row), place } : lockInquiry(tx, id);
}

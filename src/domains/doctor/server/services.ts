import type { Db } from '#kernel/server/context.ts';
import type { AssistantState } from '../contract/staffStates.ts';
import { own } from './database.ts';

export interface AssistantBrief {
  assistantId: string;
  assistantNo: string;
  operatorId: string;
  userId: string;
  name: string;
  avatarFileId: string | null;
  groupName: string;
  state: AssistantState;
  /** `[{weekday, from, to}]`, weekday 1 = Monday. */
  dutyWeek: readonly { weekday: number; from: string; to: string }[];
  capacity: number;
  leaderId: string | null;
}

/** The assistant that a member of staff is; null for everybody else. */
export async function getAssistantByStaffUser(db: Db, userId: string): Promise<AssistantBrief | null> {
  const row = await own(db)
    .selectFrom('doctorAssistant')
    .select([
      'id as assistantId',
      'assistantNo',
      'operatorId',
      'userId',
      'name',
      'avatarFileId',
      'groupName',
      'state',
      'dutyWeek',
      'capacity',
      'leaderId',
    ])
    .where('userId', '=', userId)
    .executeTakeFirst();
  // The week was checked when it was saved.
  return row ? { ...row, dutyWeek: row.dutyWeek as AssistantBrief['dutyWeek'] } : null;
}

/** Members of staff by their operator ids in the chat; unknown ids are left out. */
export async function staffUsersOf(db: Db, operatorIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (operatorIds.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('doctorAssistant')
    .select(['operatorId', 'userId'])
    .where('operatorId', 'in', [...new Set(operatorIds)])
    .execute();
  return new Map(rows.map(({ operatorId, userId }) => [operatorId, userId]));
}

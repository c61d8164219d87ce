import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { own } from '../database.ts';
import { talkOf, type Stay } from './talk.ts';

/** Who was in a room and when; who is still in it, until now. */
export async function staysOf(db: Db | Tx, roomId: string, now: string): Promise<Stay[]> {
  const rows = await own(db)
    .selectFrom('consultationVideoParticipant')
    .select(['imUserId', 'joinedAt', 'leftAt'])
    .where('roomId', '=', roomId)
    .execute();
  return rows.map(({ imUserId, joinedAt, leftAt }) => ({ imUserId, from: Date.parse(joinedAt), to: Date.parse(leftAt ?? now) }));
}

/** Seconds of doctor and patient in a call that still runs. */
export const spentSoFar = async (db: Db | Tx, roomId: string, now: string): Promise<number> =>
  talkOf(await staysOf(db, roomId, now)).doctorPatientSec;

import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';

/** Ends the live call of a group, if there is one. */
export async function endRooms(ctx: Deed, groupId: string, reason: string): Promise<void> {
  const rooms = await ownTx(ctx.tx).updateTable('consultationVideoRoom').set((eb) => ({ state: eb.case().when('state', '=', 'IN_CALL').then('ENDED').else('CANCELLED').end(), endedAt: ctx.now, endReason: reason }))
    .where('groupId', '=', groupId).where('state', 'in', ['CALLING', 'IN_CALL']).returning('roomId').execute();
  if (rooms.length === 0) return;
  await ownTx(ctx.tx).updateTable('consultationVideoParticipant').set({ leftAt: ctx.now, leaveReason: reason }).where('roomId', 'in', rooms.map(({ roomId }) => roomId)).where('leftAt', 'is', null).execute();
}

import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { finishRoom } from './leave.ts';
import { lockRoom } from './rooms.ts';

/** Ends the live call of a group, if there is one. */
export async function endRooms(ctx: Deed, groupId: string, reason: string): Promise<void> {
  const live = await ownTx(ctx.tx)
    .selectFrom('consultationVideoRoom')
    .select('roomId')
    .where('groupId', '=', groupId)
    .where('state', 'in', ['CALLING', 'IN_CALL'])
    .execute();
  for (const { roomId } of live) {
    const room = await lockRoom(ctx.tx, roomId);
    await finishRoom(ctx, room, room.state === 'IN_CALL' ? 'end' : 'cancel', reason);
  }
}

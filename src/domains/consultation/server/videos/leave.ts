import { sql } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import { videoRoomMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { sayJob, tip } from '../groups/say.ts';
import { endCardJob } from './endCard.ts';
import { type RoomEnd, staysOf, showLength, talkOf } from './talk.ts';
import { isOver, lockRoom, type RoomRow, TARGET } from './rooms.ts';

const WORDS: Readonly<Record<RoomEnd, string>> = {
  end: '',
  miss: '视频通话未接听',
  reject: '对方已拒绝视频通话',
  cancel: '视频通话已取消',
  fail: '视频通话异常中断',
};

export interface Ended {
  state: RoomRow['state'];
  talkSec: number;
}

/** Ends a room: everybody is out, what was spoken is counted once and charged to the inquiry, and the chat keeps a line. */
export async function finishRoom(ctx: Deed, room: RoomRow, action: RoomEnd, reason: string): Promise<Ended> {
  const tx = ownTx(ctx.tx);
  await tx
    .updateTable('consultationVideoParticipant')
    .set({ leftAt: ctx.now, leaveReason: reason })
    .where('roomId', '=', room.roomId)
    .where('leftAt', 'is', null)
    .execute();
  const talk = talkOf(await staysOf(ctx.tx, room.roomId, ctx.now));
  const state = await moveState(ctx, videoRoomMachine, {
    targetType: TARGET,
    targetId: room.roomId,
    targetNo: room.groupId ?? '',
    action,
    from: room.state,
  });
  await tx
    .updateTable('consultationVideoRoom')
    .set({ ...talk, state, endedAt: ctx.now, endReason: reason })
    .where('roomId', '=', room.roomId)
    .execute();
  if (room.inquiryId !== null && talk.doctorPatientSec > 0) {
    await tx
      .updateTable('consultationInquiry')
      .set((eb) => ({ videoSecUsed: eb('videoSecUsed', '+', talk.doctorPatientSec) }))
      .where('id', '=', room.inquiryId)
      .execute();
  }
  if (room.groupId !== null) {
    await ctx.enqueue(sayJob, tip(room.groupId, `video:${room.roomId}:end`, WORDS[action] || `视频通话 ${showLength(talk.talkSec)}`));
    await ctx.enqueue(endCardJob, { groupId: room.groupId, roomId: room.roomId, end: action, talkSec: talk.talkSec });
  }
  return { state, talkSec: talk.talkSec };
}

/** How a call that nobody took was left: all refused, time ran out, or the caller gave up. */
export async function unansweredEnd(ctx: Deed, room: RoomRow): Promise<'reject' | 'miss' | 'cancel'> {
  const { rows } = await sql<{ state: string }>`
    select state
      from consultation_im_invite
      where conv_id = ${room.convId}
        and caller_id = ${room.callerId}
        and created_at >= ${room.startedAt}
        and data like ${`%"roomId":${room.roomId}%`}
      order by created_at desc limit 1`.execute(ctx.tx);
  return rows[0]?.state === 'REJECTED' ? 'reject' : rows[0]?.state === 'TIMEOUT' ? 'miss' : 'cancel';
}

/** Somebody hangs up. The caller before anybody answered ends the call; so does the last but one who leaves it. */
export async function leaveRoom(ctx: Deed, room: RoomRow, imUserId: string, all: boolean): Promise<Ended> {
  if (isOver(room)) return { state: room.state, talkSec: room.talkSec };
  if (room.state === 'CALLING') {
    if (imUserId === room.callerId || all) return finishRoom(ctx, room, await unansweredEnd(ctx, room), 'HANG_UP');
    return { state: room.state, talkSec: 0 };
  }
  await ownTx(ctx.tx)
    .updateTable('consultationVideoParticipant')
    .set({ leftAt: ctx.now, leaveReason: 'HANG_UP' })
    .where('roomId', '=', room.roomId)
    .where('imUserId', '=', imUserId)
    .where('leftAt', 'is', null)
    .execute();
  const left = await ownTx(ctx.tx)
    .selectFrom('consultationVideoParticipant')
    .select('imUserId')
    .distinct()
    .where('roomId', '=', room.roomId)
    .where('leftAt', 'is', null)
    .execute();
  if (all || left.length < 2) return finishRoom(ctx, room, 'end', 'HANG_UP');
  return { state: room.state, talkSec: talkOf(await staysOf(ctx.tx, room.roomId, ctx.now)).talkSec };
}

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

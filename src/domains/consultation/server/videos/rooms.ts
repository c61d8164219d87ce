import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { RoomEntry } from '../../contract/calls/rooms.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { videoRoomMachine, type VideoRoomState } from '../../contract/states.ts';
import { own, ownTx, type ConsultationTables } from '../database.ts';
import type { Deed } from '../deed.ts';
import { sayJob } from '../groups/say.ts';
import { isLive } from '../inquiries/move.ts';
import { inquiryOf, lockGroup } from '../inquiries/rows.ts';
import { roomPlan, roomSign } from '../tencent/rooms.ts';
import { iceServersFor } from './ice.ts';
import { spentSoFar, videoLeft } from './talk.ts';

export type RoomRow = Omit<Selectable<ConsultationTables['consultationVideoRoom']>, 'state'> & { state: VideoRoomState };
const roomOf = (row: Selectable<ConsultationTables['consultationVideoRoom']>): RoomRow => ({ ...row });

export const TARGET = 'consultation.videoRoom';
const MOST_PEOPLE = 4;
const LIVE_STATES = ['CALLING', 'IN_CALL'] as const;
export const isOver = ({ state }: Pick<RoomRow, 'state'>): boolean => state !== 'CALLING' && state !== 'IN_CALL';

/** A room by its number, locked. @throws Refusal SCM90040. */
export async function lockRoom(tx: Tx, roomId: string): Promise<RoomRow> {
  const row = await ownTx(tx).selectFrom('consultationVideoRoom').selectAll().where('roomId', '=', roomId).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return roomOf(row);
}
export async function findRoom(db: Db | Tx, roomId: string): Promise<RoomRow> {
  const row = await own(db).selectFrom('consultationVideoRoom').selectAll().where('roomId', '=', roomId).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return roomOf(row);
}

/** Seconds of video that the room's inquiry still has, with what is running now. */
export async function secondsLeft(db: Db | Tx, room: RoomRow, now: string): Promise<number | null> {
  if (room.inquiryId === null) return null;
  const inquiry = await own(db)
    .selectFrom('consultationInquiry')
    .select(['videoSecLimit', 'videoSecUsed'])
    .where('id', '=', room.inquiryId)
    .executeTakeFirstOrThrow();
  if (inquiry.videoSecLimit === 0) return null;
  return videoLeft(inquiry.videoSecLimit, inquiry.videoSecUsed + (isOver(room) ? 0 : await spentSoFar(db, room.roomId, now)));
}

/** Somebody stands in a room; who comes back while he is still counted goes on with his stay. */
async function enter(ctx: Deed, room: RoomRow, imUserId: string): Promise<void> {
  const there = await ownTx(ctx.tx)
    .updateTable('consultationVideoParticipant')
    .set({ lastSeenAt: ctx.now })
    .where('roomId', '=', room.roomId)
    .where('imUserId', '=', imUserId)
    .where('leftAt', 'is', null)
    .returning('imUserId')
    .execute();
  if (there.length > 0) return;
  await ownTx(ctx.tx)
    .insertInto('consultationVideoParticipant')
    .values({ roomId: room.roomId, imUserId, joinedAt: ctx.now, lastSeenAt: ctx.now })
    .onConflict((conflict) =>
      conflict.columns(['roomId', 'imUserId', 'joinedAt']).doUpdateSet({ leftAt: null, leaveReason: null, lastSeenAt: ctx.now }),
    )
    .execute();
}

/** What somebody needs to take part. */
export async function entryOf(ctx: Deed, room: RoomRow, imUserId: string): Promise<RoomEntry> {
  const participants = await ownTx(ctx.tx)
    .selectFrom('consultationVideoParticipant as p')
    .innerJoin('consultationImUser as u', 'u.imUserId', 'p.imUserId')
    .select(['p.imUserId', 'u.nick', 'p.joinedAt'])
    .where('p.roomId', '=', room.roomId)
    .where('p.leftAt', 'is', null)
    .orderBy('p.joinedAt')
    .execute();
  return {
    roomId: room.roomId,
    conversationID: groupConversation(room.groupId ?? ''),
    adapter: room.adapter,
    state: room.state,
    soundOnly: room.soundOnly,
    iceServers: iceServersFor(ctx.kernel, imUserId, ctx.now),
    ...(await roomSign(ctx.kernel, room.adapter, imUserId)),
    videoSecLeft: await secondsLeft(ctx.tx, room, ctx.now),
    participants: participants.map(({ imUserId: userID, ...rest }) => ({ userID, ...rest })),
  };
}

/** A number that no room ever had. */
async function insertRoom(
  ctx: Deed,
  values: { convId: string; groupId: string; inquiryId: string | null; callerId: string; soundOnly: boolean },
): Promise<RoomRow> {
  const { adapter, highest } = roomPlan(ctx.kernel);
  for (;;) {
    const row = await ownTx(ctx.tx)
      .insertInto('consultationVideoRoom')
      .values({ ...values, roomId: String(randomInt(1, highest + 1)), adapter, state: 'CALLING', startedAt: ctx.now })
      .onConflict((conflict) => conflict.column('roomId').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return roomOf(row);
  }
}

/**
 * Opens the one live room of a conversation, with its caller in it.
 * @throws Refusal SCM10030 with the room's number while one is live, SCM10034 when the inquiry's time is used up, SCM90031 without a
 * service.
 */
export async function openRoom(ctx: Deed, groupId: string, callerId: string, soundOnly: boolean): Promise<RoomRow> {
  const { group } = await lockGroup(ctx.tx, groupId);
  const live = await ownTx(ctx.tx)
    .selectFrom('consultationVideoRoom')
    .select('roomId')
    .where('convId', '=', group.convId)
    .where('state', 'in', LIVE_STATES)
    .executeTakeFirst();
  if (live) throw refuse(errors.CALL_LIVE, { data: { roomId: live.roomId } });
  const row =
    group.currentInquiryId === null
      ? undefined
      : await ownTx(ctx.tx).selectFrom('consultationInquiry').selectAll().where('id', '=', group.currentInquiryId).executeTakeFirst();
  const inquiry = row && inquiryOf(row);
  if (
    group.archivedAt !== null ||
    (group.kind === 'DOCTOR' && group.sendPolicy !== 'ALWAYS' && (!inquiry || !isLive(inquiry.serverStatus)))
  )
    throw refuse(platformErrors.WRONG_STATE, { state: '问诊已结束' });
  if (inquiry && videoLeft(inquiry.videoSecLimit, inquiry.videoSecUsed) === 0) throw refuse(errors.VIDEO_USED_UP);
  const room = await insertRoom(ctx, {
    convId: group.convId,
    groupId,
    inquiryId: inquiry?.id ?? null,
    callerId,
    soundOnly: soundOnly || inquiry?.serviceType === 'PHONE',
  });
  await enter(ctx, room, callerId);
  ctx.target({ type: TARGET, id: room.roomId, no: groupId });
  await ctx.enqueue(sayJob, {
    groupId,
    clientMsgId: `video:${room.roomId}`,
    type: messageTypes.CUSTOM,
    sourceRef: `video:${room.roomId}`,
    payload: cardPayload({ businessID: 'video_call', v: 1, roomId: Number(room.roomId), action: 'start' }, '[视频通话] 发起了视频通话'),
  });
  return room;
}

/**
 * Somebody takes part; the first besides the caller answers.
 * @throws Refusal SCM10032 when it is over, SCM10031 when four are in it.
 */
export async function joinRoom(ctx: Deed, room: RoomRow, imUserId: string): Promise<RoomRow> {
  if (isOver(room)) throw refuse(errors.CALL_ENDED);
  const others = await ownTx(ctx.tx)
    .selectFrom('consultationVideoParticipant')
    .select('imUserId')
    .distinct()
    .where('roomId', '=', room.roomId)
    .where('leftAt', 'is', null)
    .where('imUserId', '<>', imUserId)
    .execute();
  if (others.length >= MOST_PEOPLE) throw refuse(errors.CALL_FULL);
  await enter(ctx, room, imUserId);
  if (room.state !== 'CALLING' || imUserId === room.callerId) return room;
  const state = await moveState(ctx, videoRoomMachine, {
    targetType: TARGET,
    targetId: room.roomId,
    targetNo: room.groupId ?? '',
    action: 'answer',
    from: room.state,
  });
  return roomOf(
    await ownTx(ctx.tx)
      .updateTable('consultationVideoRoom')
      .set({ state, answeredAt: ctx.now })
      .where('roomId', '=', room.roomId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

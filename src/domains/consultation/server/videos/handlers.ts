import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import * as participantCalls from '../../contract/calls/participants.ts';
import * as calls from '../../contract/calls/videos.ts';
import { own, ownTx } from '../database.ts';
import { deedOf, type Deed } from '../deed.ts';
import { requireMine, mineDeed } from '../participants/enter.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { requireMember } from '../people/access.ts';
import { meOf } from '../people/me.ts';
import { isMember } from '../people/pool.ts';
import { leaveRoom } from './leave.ts';
import { entryOf, findRoom, isOver, joinRoom, lockRoom, openRoom, secondsLeft, type RoomRow } from './rooms.ts';

/** Whoever calls: his chat account and the transaction in which he acts. */
interface Person {
  userID: string;
  deed: Deed;
}
type Who = (ctx: CommandContext, groupId: string) => Promise<Person>;

/** Staff take part as members; who only reads along does not. */
const assistant =
  (kernel: Kernel): Who =>
  async (ctx, groupId) => {
    const seen = await requireMember(ctx.tx, ctx, groupId);
    if (!seen.member) throw refuse(platformErrors.NOT_FOUND);
    return { userID: seen.me.imUserId, deed: deedOf(kernel, ctx) };
  };
const participant =
  (kernel: Kernel): Who =>
  async (ctx, groupId) => {
    const mine = await requireMine(ctx.tx, ctx, groupId);
    return { userID: mine.userID, deed: mineDeed(kernel, ctx, mine) };
  };

/** A locked room of a group in which the caller is; the group is asked first, so that foreign rooms are not told. */
async function inRoom(who: Who, ctx: CommandContext, roomId: string): Promise<Person & { room: RoomRow }> {
  const { groupId } = await findRoom(ctx.tx, roomId);
  const person = await who(ctx, groupId ?? '');
  return { ...person, room: await lockRoom(ctx.tx, roomId) };
}

async function open(who: Who, ctx: CommandContext, groupId: string, soundOnly: boolean) {
  const { userID, deed } = await who(ctx, groupId);
  return entryOf(deed, await openRoom(deed, groupId, userID, soundOnly), userID);
}
async function join(who: Who, ctx: CommandContext, roomId: string) {
  const { userID, deed, room } = await inRoom(who, ctx, roomId);
  return entryOf(deed, await joinRoom(deed, room, userID), userID);
}

/** A sign of life; of the network only the worst is kept. */
async function beat(
  who: Who,
  ctx: CommandContext,
  { roomId, rttMs, lostBp }: { roomId: string; rttMs?: number | undefined; lostBp?: number | undefined },
) {
  const { groupId } = await findRoom(ctx.tx, roomId);
  const { userID } = await who(ctx, groupId ?? '');
  const mine = () =>
    ownTx(ctx.tx)
      .updateTable('consultationVideoParticipant')
      .where('roomId', '=', roomId)
      .where('imUserId', '=', userID)
      .where('leftAt', 'is', null);
  await mine().set({ lastSeenAt: ctx.now }).execute();
  if (rttMs !== undefined)
    await mine()
      .set({ worstRttMs: rttMs })
      .where((eb) => eb.or([eb('worstRttMs', 'is', null), eb('worstRttMs', '<', rttMs)]))
      .execute();
  if (lostBp !== undefined)
    await mine()
      .set({ worstLostBp: lostBp })
      .where((eb) => eb.or([eb('worstLostBp', 'is', null), eb('worstLostBp', '<', lostBp)]))
      .execute();
  const room = await findRoom(ctx.tx, roomId);
  return { state: room.state, videoSecLeft: isOver(room) ? null : await secondsLeft(ctx.tx, room, ctx.now) };
}
async function leave(who: Who, ctx: CommandContext, roomId: string, all: boolean) {
  const { userID, deed, room } = await inRoom(who, ctx, roomId);
  return leaveRoom(deed, room, userID, all);
}

export const videoHandlers = (kernel: Kernel): readonly Handler[] => {
  const [staff, guest] = [assistant(kernel), participant(kernel)];
  return [
    command(calls.openVideoRoom, ({ groupId, soundOnly }, ctx) => open(staff, ctx, groupId, soundOnly)),
    command(calls.joinVideoRoom, ({ roomId }, ctx) => join(staff, ctx, roomId)),
    command(calls.beatVideoRoom, (input, ctx) => beat(staff, ctx, input)),
    command(calls.endVideoRoom, ({ roomId, all }, ctx) => leave(staff, ctx, roomId, all)),
    // No `listOf`: the calls of one group, asked by who takes part in it, counted in the same statement.
    query(calls.queryVideoList, async ({ groupId, ...page }, ctx) => {
      const me = await meOf(ctx.db, ctx);
      const { rows: seen } = await sql`
        select 1
          from consultation_medical_group g
          where g.group_id = ${groupId} and (${ctx.has(may['chat.watch'])} or ${isMember(me.imUserId)})`.execute(ctx.db);
      if (seen.length === 0) throw refuse(platformErrors.NOT_FOUND);
      const rows = await own(ctx.db)
        .selectFrom('consultationVideoRoom as r')
        .innerJoin('consultationImUser as u', 'u.imUserId', 'r.callerId')
        .select(['r.roomId', 'r.state', 'r.startedAt', 'r.endedAt', 'r.talkSec', 'r.doctorPatientSec', 'u.nick as callerNick'])
        .select(sql<string>`count(*) over ()`.as('total'))
        .where('r.groupId', '=', groupId)
        .orderBy('r.startedAt', 'desc')
        .orderBy('r.roomId')
        .limit(page.pageSize)
        .offset(offsetOf(page))
        .execute();
      return {
        rows: rows.map(({ state, total: _, ...row }) => ({ ...row, state })),
        total: Number(rows[0]?.total ?? 0),
      };
    }),
    // The doctor calls; the patient answers.
    command(participantCalls.openMyVideo, async ({ groupId }, ctx) => {
      const mine = await requireMine(ctx.tx, ctx, groupId);
      if (mine.role !== 'DOCTOR') throw refuse(platformErrors.NO_PERMISSION, { permission: '发起视频通话' });
      return open(guest, ctx, groupId, false);
    }),
    command(participantCalls.joinMyVideo, ({ roomId }, ctx) => join(guest, ctx, roomId)),
    command(participantCalls.beatMyVideo, (input, ctx) => beat(guest, ctx, input)),
    command(participantCalls.endMyVideo, ({ roomId }, ctx) => leave(guest, ctx, roomId, false)),
  ];
};

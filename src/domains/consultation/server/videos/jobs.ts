import { sql } from 'kysely';
import { plusMs } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { systemDeed } from '../deed.ts';
import { finishRoom, unansweredEnd } from './leave.ts';
import { isOver, lockRoom } from './rooms.ts';

const DEAD_MS = 45_000;
const RING_MS = 60_000;
const ALONE_MS = 60_000;
const BATCH = 100;
const IDLE_MS = 30_000;

async function isAnybodyCalling(db: Db): Promise<boolean> {
  const { rows } = await sql<{ calling: boolean }>`
    select exists (select from consultation_video_room where state in ('CALLING', 'IN_CALL'))
        or exists (select from consultation_video_participant where left_at is null) as calling`.execute(db);
  return rows[0]?.calling ?? true;
}

/**
 * Calls that nobody watches over: who was not heard of for 45 seconds is out as of his last sign of life, a call that was not
 * taken within a minute was missed, and one in which fewer than two were left for a minute broke off.
 */
export const watchRoomsJob = job({
  name: 'consultation.watchRooms',
  label: '清理视频通话',
  everySeconds: 5,
  async run(_data, context) {
    const { now } = context;
    if (!(await isAnybodyCalling(context.db))) return context.idleFor(IDLE_MS);
    await sql`
      update consultation_video_participant
        set left_at = last_seen_at, leave_reason = 'LOST'
        where left_at is null and last_seen_at < ${plusMs(now, -DEAD_MS)}`.execute(context.db);
    const { rows } = await sql<{ roomId: string }>`
      select r.room_id
        from consultation_video_room r
        where (r.state = 'CALLING' and r.started_at <= ${plusMs(now, -RING_MS)})
          or (
            r.state = 'IN_CALL'
            and (
              select count(distinct p.im_user_id) from consultation_video_participant p where p.room_id = r.room_id and p.left_at is null
            ) < 2
            and (select max(p.left_at) from consultation_video_participant p where p.room_id = r.room_id) <= ${plusMs(now, -ALONE_MS)}
          )
        order by r.started_at limit ${BATCH}`.execute(context.db);
    for (const { roomId } of rows) {
      if (context.signal.aborted) return;
      await context.transaction(async (writing) => {
        const ctx = systemDeed(writing, context);
        const room = await lockRoom(ctx.tx, roomId);
        if (isOver(room)) return;
        if (room.state === 'IN_CALL') await finishRoom(ctx, room, 'fail', 'LOST');
        else await finishRoom(ctx, room, (await unansweredEnd(ctx, room)) === 'reject' ? 'reject' : 'miss', 'NO_ANSWER');
      });
    }
  },
});

import { instantOf, minutes, type Instant } from '#kernel/contract/time.ts';
import { bulk, type Random } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import type { VideoRoomState } from '../../contract/states.ts';
import { showLength, talkOf, type RoomEnd } from '../videos/talk.ts';
import type { Consult } from './consults.ts';
import type { DemoGroup } from './groups.ts';
import { system, tip } from './line.ts';
import { STORIES, type Stage } from './stage.ts';

const ROOMS = 60;
/** Calls that came to nothing, before the one that did. */
const FAILED: readonly [VideoRoomState, number, string, string][] = [
  ['MISSED', 9, 'NO_ANSWER', '视频通话未接听'],
  ['REJECTED', 6, 'NO_ANSWER', '对方已拒绝视频通话'],
  ['CANCELLED', 6, 'HANG_UP', '视频通话已取消'],
  ['FAILED', 4, 'LOST', '视频通话异常中断'],
];

interface Stay {
  imUserId: string;
  from: number;
  to: number | null;
  reason: string | null;
  rtt: number;
  lost: number;
}
const ENDS: Partial<Record<VideoRoomState, RoomEnd>> = { MISSED: 'miss', REJECTED: 'reject', CANCELLED: 'cancel', FAILED: 'fail' };

interface Room {
  roomId: number;
  group: DemoGroup;
  consult: Consult;
  at: number;
  state: VideoRoomState;
  reason: string | null;
  stays: Stay[];
  words: string;
}

/** Calls in consultations by video and telephone, and in two that run now. The lines that they leave are added to the groups. */
export function planRooms(stage: Stage, groupOf: ReadonlyMap<Consult, DemoGroup>, random: Random): Room[] {
  const now = Date.parse(stage.now);
  const isStory = ({ order, status }: Consult) => order.patientId === STORIES.he && status === '2';
  const calls = [...groupOf]
    .filter(([{ order, firstReply }]) => firstReply !== null && ['VIDEO', 'PHONE'].includes(order.itemSnapshot.serviceType))
    .toSorted(([a], [b]) => Number(isStory(b)) - Number(isStory(a)));
  const rooms: Room[] = [];
  const ids = new Set<number>();
  const open = (
    consult: Consult,
    group: DemoGroup,
    at: number,
    state: VideoRoomState,
    reason: string | null,
    words: string,
    stays: Stay[],
  ) => {
    let roomId = random.int(1, 4_294_967_295);
    while (ids.has(roomId)) roomId = random.int(1, 4_294_967_295);
    ids.add(roomId);
    rooms.push({ roomId, group, consult, at, state, reason, stays, words });
  };
  const users = ({ order }: Consult) => ({ d: `D${order.doctorOperatorId}`, p: `P${order.operatorId}` });
  const failed = FAILED.flatMap(([state, times, reason, words]) => Array.from({ length: times }, () => ({ state, reason, words })));
  const answered = ROOMS - 2 - failed.length;
  calls.forEach(([consult, group], index) => {
    const { d, p } = users(consult);
    const at = consult.firstReply! + minutes(2) + (index % 5) * 30_000;
    if (isStory(consult)) {
      // The network dropped and came back: five minutes with the doctor in all.
      open(consult, group, at, 'ENDED', 'HANG_UP', '', [
        { imUserId: p, from: at, to: at + 200_000, reason: 'LOST', rtt: 1_840, lost: 2_300 },
        { imUserId: p, from: at + 215_000, to: at + 480_000, reason: 'HANG_UP', rtt: 310, lost: 120 },
        { imUserId: d, from: at + 30_000, to: at + 345_000, reason: 'HANG_UP', rtt: 90, lost: 10 },
      ]);
      return;
    }
    const trouble = failed[index - 1];
    if (trouble)
      open(consult, group, at - 80_000, trouble.state, trouble.reason, trouble.words, [
        { imUserId: d, from: at - 80_000, to: at - 30_000, reason: trouble.reason, rtt: 120, lost: 30 },
      ]);
    if (rooms.filter(({ state }) => state === 'ENDED').length >= answered) return;
    const talk = random.int(180, 700) * 1_000;
    open(consult, group, at, 'ENDED', 'HANG_UP', '', [
      { imUserId: d, from: at, to: at + 15_000 + talk, reason: 'HANG_UP', rtt: random.int(40, 260), lost: random.int(0, 180) },
      { imUserId: p, from: at + 15_000, to: at + 15_000 + talk, reason: 'HANG_UP', rtt: random.int(40, 400), lost: random.int(0, 400) },
    ]);
  });
  const live = [...groupOf]
    .filter(
      ([{ status, order }, group]) =>
        status === '2' && !group.bot && group.workState === 'SERVING' && order.itemSnapshot.serviceType === 'TEXT',
    )
    .slice(0, 2);
  const [ringing, talking] = live;
  if (ringing)
    open(...ringing, now - 15_000, 'CALLING', null, '', [
      { imUserId: users(ringing[0]).d, from: now - 15_000, to: null, reason: null, rtt: 80, lost: 0 },
    ]);
  if (talking)
    open(...talking, now - 90_000, 'IN_CALL', null, '', [
      { imUserId: users(talking[0]).d, from: now - 90_000, to: null, reason: null, rtt: 80, lost: 0 },
      { imUserId: users(talking[0]).p, from: now - 70_000, to: null, reason: null, rtt: 120, lost: 40 },
    ]);
  for (const { roomId, group, consult, at, stays, state, words } of rooms) {
    const talk = talkOf(stays.flatMap(({ imUserId, from, to }) => (to === null ? [] : [{ imUserId, from, to }])));
    if (state === 'ENDED') consult.videoSec += talk.doctorPatientSec;
    const card = stays.some(({ to }) => to === null)
      ? cardPayload({ businessID: 'video_call', v: 1, roomId, action: 'start' }, '[视频通话] 发起了视频通话')
      : cardPayload({ businessID: 'video_call', v: 1, roomId, action: ENDS[state] ?? 'end', talkSec: talk.talkSec }, '[视频通话] 已结束');
    group.lines.push(system(at, messageTypes.CUSTOM, card, `video:${roomId}`, `video:${roomId}`));
    const end = Math.max(...stays.map(({ to }) => to ?? 0));
    if (end > 0 && stays.every(({ to }) => to !== null))
      group.lines.push(tip(end + 400, `video:${roomId}:end`, words || `视频通话 ${showLength(talk.talkSec)}`));
  }
  return rooms;
}

export async function writeRooms(tx: Tx, { now }: { now: Instant }, rooms: readonly Room[]): Promise<void> {
  await bulk(
    tx,
    'consultation_video_room',
    rooms.map(({ roomId, group, consult, at, state, reason, stays }) => {
      const over = stays.every(({ to }) => to !== null);
      const talk = talkOf(stays.flatMap(({ imUserId, from, to }) => (to === null ? [] : [{ imUserId, from, to }])));
      const joined = stays.map(({ from }) => from).toSorted((a, b) => a - b)[1];
      return {
        roomId,
        convId: group.convId,
        groupId: group.groupId,
        inquiryId: consult.id,
        callerId: stays[0]!.imUserId,
        adapter: 'MESH',
        soundOnly: consult.order.itemSnapshot.serviceType === 'PHONE',
        inviteId: null,
        state,
        startedAt: instantOf(at),
        answeredAt: joined === undefined ? null : instantOf(joined),
        endedAt: over ? instantOf(Math.max(...stays.map(({ to }) => to!))) : null,
        endReason: reason,
        talkSec: talk.talkSec,
        doctorPatientSec: talk.doctorPatientSec,
      };
    }),
  );
  await bulk(
    tx,
    'consultation_video_participant',
    rooms.flatMap(({ roomId, stays }) =>
      stays.map(({ imUserId, from, to, reason, rtt, lost }) => ({
        roomId,
        imUserId,
        joinedAt: instantOf(from),
        lastSeenAt: to === null ? now : instantOf(to),
        leftAt: to === null ? null : instantOf(to),
        leaveReason: reason,
        worstRttMs: rtt,
        worstLostBp: lost,
      })),
    ),
  );
}

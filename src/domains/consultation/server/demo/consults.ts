import { hours, instantOf, minutes, type Instant } from '#kernel/contract/time.ts';
import type { ServerStatus } from '../../contract/states.ts';
import { expireAt } from '../rules/deadlines.ts';
import type { Line } from './line.ts';
import { STORIES, type DemoAssistant, type DemoOrder, type Stage } from './stage.ts';
import type { Course } from './talk/course.ts';

/** An inquiry as it went, in milliseconds. */
export interface Consult {
  order: DemoOrder;
  id: string;
  course: Course;
  /** Who speaks for the assistants. */
  assistant: DemoAssistant;
  status: ServerStatus;
  complaint: string;
  paid: number | null;
  accepted: number | null;
  firstReply: number | null;
  /** End of a '4', close of a '5', '6', '7'. */
  over: number | null;
  /** 申请结束 of a '3'. */
  asked: number | null;
  /** Ended once by mistake, and opened again. */
  reopened: { from: number; to: number } | null;
  extendedHours: number;
  expires: Instant | null;
  rounds: number;
  lines: Line[];
  /** Set when the conversation is in order. */
  startSeq: number | null;
  endSeq: number | null;
  videoSec: number;
  /** Nobody has taken the group yet. */
  unserved: boolean;
  /** The patient's newest one in which the doctor spoke more than once: what he was suggested then is in his record. */
  last: boolean;
}

const RECENT = 8;
const ASKED = 10;
const EXTENDED = 6;
const REOPENED = 6;
const LEAST_AGE = hours(8);
const ASKED_AGE = hours(4.5);
const stories: readonly string[] = Object.values(STORIES);
const ms = (at: Instant | null): number | null => (at === null ? null : Date.parse(at));

/** Of the orders in service: which ended today, in which the end was asked for, which were extended or opened again. */
function chosen({ orders, now }: Stage): Record<'recent' | 'asked' | 'extended' | 'reopened', Set<DemoOrder>> {
  const answered = orders.filter(
    ({ state, firstReplyAt, patientId, itemSnapshot }) =>
      state === 'SERVING' && firstReplyAt !== null && !stories.includes(patientId) && itemSnapshot.serviceType === 'TEXT',
  );
  const old = answered.filter(({ createdAt }) => Date.parse(now) - Date.parse(createdAt) > LEAST_AGE);
  const recent = old.slice(0, RECENT);
  const left = answered.filter((order) => !recent.includes(order));
  const asked = left.filter(({ createdAt }) => Date.parse(now) - Date.parse(createdAt) > ASKED_AGE).slice(0, ASKED);
  const rest = left.filter((order) => !asked.includes(order));
  const followed = orders.filter(
    ({ state, firstReplyAt, itemSnapshot }) => state === 'SERVING' && firstReplyAt !== null && itemSnapshot.serviceType === 'FOLLOW_UP',
  );
  const he = orders.filter(({ patientId, state }) => patientId === STORIES.he && state === 'SERVING');
  return {
    recent: new Set(recent),
    asked: new Set(asked),
    extended: new Set(followed.slice(0, EXTENDED)),
    reopened: new Set([...he, ...rest.slice(0, REOPENED - he.length)]),
  };
}

function statusOf({ state, refundReason }: DemoOrder): ServerStatus {
  if (state === 'WAIT_PAY') return '0';
  if (state === 'PAID') return '1';
  if (state === 'COMPLETED') return '4';
  if (state === 'CLOSED') return '5';
  if (state === 'REFUNDED') return refundReason === 'DOCTOR_REFUSE' ? '6' : '7';
  return '2';
}

/** What became of each order's inquiry. */
export function consultsOf(stage: Stage, ids: readonly string[], assistantOf: (order: DemoOrder) => DemoAssistant): Consult[] {
  const { recent, asked, extended, reopened } = chosen(stage);
  const now = Date.parse(stage.now);
  const newest = new Map(
    stage.orders
      .filter(({ usedReplies, firstReplyAt }) => firstReplyAt !== null && usedReplies > 1)
      .map((order) => [order.patientId, order]),
  );
  return stage.orders.map((order, index) => {
    const course = stage.course(order.icd);
    const status: ServerStatus = recent.has(order) ? '4' : asked.has(order) ? '3' : statusOf(order);
    const accepted = ms(order.acceptedAt);
    const firstReply = ms(order.firstReplyAt);
    const span = firstReply === null ? 0 : now - firstReply;
    const back = reopened.has(order) ? { from: firstReply! + span * 0.6, to: firstReply! + span * 0.7 } : null;
    const extendedHours = extended.has(order) ? 24 : 0;
    const { itemSnapshot: item } = order;
    const ends = accepted === null ? null : expireAt(instantOf(accepted), item, order.slotAt, extendedHours);
    const over = recent.has(order)
      ? firstReply! + span * (0.75 + (index % 4) * 0.05)
      : status === '4'
        ? ms(order.completedAt)! - hours(24)
        : ['5', '6', '7'].includes(status)
          ? ms(order.endedAt)
          : null;
    return {
      order,
      id: ids[index]!,
      course,
      assistant: assistantOf(order),
      status,
      complaint: course.complaints[index % course.complaints.length]!,
      paid: ms(order.paidAt),
      accepted,
      firstReply,
      over: over === null ? null : Math.round(over),
      asked: asked.has(order) ? now - minutes(20 + (index % 9) * 12) : null,
      reopened: back && { from: Math.round(back.from), to: Math.round(back.to) },
      extendedHours,
      expires: back && ends !== null && Date.parse(ends) < back.to + hours(12) ? instantOf(back.to + hours(12)) : ends,
      rounds: order.usedReplies,
      lines: [],
      startSeq: null,
      endSeq: null,
      videoSec: 0,
      unserved: false,
      last: newest.get(order.patientId) === order,
    };
  });
}

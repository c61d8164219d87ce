import { dayOf, days, hours, instantOf, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { ItemType } from '../../../contract/dictionaries.ts';

/** What of an opening decides who buys it. */
export interface PlannedOpening {
  openingId: string;
  doctorId: string;
  itemType: ItemType;
  departmentName: string | null;
  doctorName: string;
}
export interface PlannedPatient {
  patientId: string;
  /** ICD-10 of his main diagnosis. */
  icd: string;
}
export type DemoState = 'WAIT_PAY' | 'PAID' | 'SERVING' | 'COMPLETED' | 'REFUNDING' | 'REFUNDED' | 'CLOSED';
export interface PlannedOrder<O extends PlannedOpening> {
  state: DemoState;
  createdAt: Instant;
  opening: O;
  patientId: string;
  /** Prices that a story fixes; null: the opening's own. */
  priceFen: number | null;
  refuse: boolean;
  stars: number | null;
  rounds: number;
}

export const ORDERS = 600;
const LIVE = 90;
/** Orders whose service went through the chat; the 180 oldest ones were before it. */
const CHATTED = 330;
const PAIRS = 150;
const DAYS = 90;
const REFUNDED = 57;
const CLOSED = 41;
const RATED = 90;

/** 张建国 paid 86.63 for a video consultation whose doctor was late: all of it went back. */
export const STORY = 90;
/** Stories of the chat: 王秀英's five rounds, 孙桂兰 whom nobody accepted, 刘志远 from the desk, 何伟's video, and who was muted. */
interface StoryOrder {
  patientId: string;
  icd: string;
  doctorName?: string;
  state?: DemoState;
  priceFen?: number;
}
const STORY_ORDERS: Readonly<Record<number, StoryOrder>> = {
  40: { patientId: '10017', icd: 'E11.9', doctorName: '周敏' },
  41: { patientId: '10019', icd: 'I25.1' },
  42: { patientId: '10020', icd: 'J45' },
  109: { patientId: '10016', icd: 'C34.901', doctorName: '陈立', state: 'COMPLETED', priceFen: 19_900 },
  110: { patientId: '10018', icd: 'I10', state: 'REFUNDED', priceFen: 19_900 },
  [STORY]: { patientId: '10001', icd: 'C34.901', state: 'REFUNDED' },
};
const DESK_STORY = 40;
const VIDEO_STORY = 41;

/** Diseases that the doctors of a department see. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  心血管内科: ['I10', 'I25.1', 'N18'],
  呼吸内科: ['C34.901', 'J45'],
  消化内科: ['B18'],
  内分泌科: ['E11.9'],
  普通外科: ['C50.9', 'C61'],
  骨科: ['M05'],
  妇科: ['C50.9'],
  儿科: ['L20', 'J45', 'L40'],
};

/** What a patient buys of his doctor, one time after another. Calls are booked, so that of those only the one of the story is under way. */
function typeOf(pair: number): ItemType {
  if (pair === VIDEO_STORY || (pair >= 90 && pair < 109)) return 'VIDEO';
  if (pair >= 120 && pair < 130) return 'PHONE';
  if (pair >= 130 && pair < 140) return 'REPORT';
  return (pair >= 70 && pair < 84) || (pair >= 140 && pair < 144) ? 'FOLLOW_UP' : 'TEXT';
}
const pairOf = (n: number): number => (n < LIVE ? n : n % PAIRS);

/** The first order in service. */
const LIVE_FROM = 34;
const liveState = (n: number): DemoState => (n < 10 ? 'WAIT_PAY' : n < LIVE_FROM ? 'PAID' : n < 84 ? 'SERVING' : 'REFUNDING');
/** Whether the n-th of `all` is one of `some` that lie evenly among them. */
const falls = (n: number, some: number, all: number) => Math.floor(((n + 1) * some) / all) > Math.floor((n * some) / all);

function statesOf(): DemoState[] {
  const states = Array.from({ length: ORDERS }, (_, n) => (n < LIVE ? liveState(n) : 'COMPLETED'));
  let rest = 0;
  for (let n = LIVE; n < ORDERS; n += 1) {
    if (falls((n - LIVE) % CHATTED, REFUNDED, CHATTED)) states[n] = 'REFUNDED';
    else if (falls(rest++ % (CHATTED - REFUNDED), CLOSED, CHATTED - REFUNDED)) states[n] = 'CLOSED';
  }
  for (const [key, { state }] of Object.entries(STORY_ORDERS)) {
    const n = Number(key);
    if (state === undefined || states[n] === state) continue;
    const other = states.findIndex((one, at) => one === state && at >= LIVE && !(at in STORY_ORDERS));
    [states[n], states[other]] = [states[other]!, states[n]!];
  }
  return states;
}

/** Nobody accepted them: they are so old that duty time has passed since, at whatever hour the demonstration begins. */
const LEFT = 6;
const LEFT_AGE = hours(14.6);
/** 刘志远 was taken at the desk at 08:31 and bought at 08:40, this morning or, early in the day, the one before. */
function morningOf(now: Instant): number {
  const at = (day: number) => Date.parse(startOfDay(plusDays(dayOf(now), day))) + hours(8) + minutes(40);
  return Date.parse(now) - at(0) >= minutes(100) ? at(0) : at(-1);
}

/** Live ones began hours ago; older ones lie evenly over three months, those of one pair weeks apart. */
function ageOf(n: number, state: DemoState): number {
  if (n >= LIVE) return days(3) + ((n - LIVE) * days(DAYS - 3)) / (ORDERS - LIVE) + minutes((n * 37) % 90);
  return state === 'WAIT_PAY'
    ? minutes(5 + n * 7)
    : state === 'PAID'
      ? n >= LIVE_FROM - LEFT
        ? LEFT_AGE + (n - LIVE_FROM + LEFT) * minutes(34)
        : minutes(20 + (n - 10) * 17)
      : hours(2 + (n % 20)) + minutes((n * 13) % 50);
}

/** Who bought days ago did so between half past eight and half past three. */
function byDay(at: Instant, n: number): Instant {
  return plusMs(startOfDay(dayOf(at)), hours(8.5) + minutes((n * 37) % 420));
}

const STARS = [5, 5, 4, 5, 5, 3, 5, 4, 5, 5, 2, 5];
const roundsOf = (n: number, type: string) => (n === 109 ? 5 : type === 'REPORT' ? 1 + (n % 4) : 2 + (n % 6));

/** Who bought what of whom: 150 patients who came back to their doctor, and before them whoever came. */
export function planOrders<O extends PlannedOpening>(
  openings: readonly O[],
  patients: readonly PlannedPatient[],
  now: Instant,
): PlannedOrder<O>[] {
  const byType = Map.groupBy(openings, ({ itemType }) => itemType);
  const stories = new Map(Object.entries(STORY_ORDERS).map(([n, one]) => [pairOf(Number(n)), one]));
  const used = new Set(Object.values(STORY_ORDERS).map(({ patientId }) => patientId));
  const seen = ({ departmentName }: O) => SEEN[departmentName ?? ''] ?? ['I10'];
  const pairs = Array.from({ length: PAIRS }, (_, pair): { opening: O; patientId: string } => {
    const type = typeOf(pair);
    const choice = byType.get(type) ?? openings;
    const story = stories.get(pair);
    const fitting = story
      ? choice.filter((one) => (story.doctorName === undefined ? seen(one).includes(story.icd) : one.doctorName === story.doctorName))
      : choice;
    const offered = fitting.length > 0 ? fitting : choice;
    // Few doctors share the live text consultations, as it is on a real day.
    const opening = offered[(type === 'TEXT' && pair < LIVE ? pair % 18 : pair) % offered.length]!;
    const person =
      story ??
      patients.find(({ patientId, icd }) => !used.has(patientId) && seen(opening).includes(icd)) ??
      patients.find(({ patientId }) => !used.has(patientId))!;
    used.add(person.patientId);
    return { opening, patientId: person.patientId };
  });
  const states = statesOf();
  const done = states.flatMap((state, n) => (state === 'COMPLETED' && n < LIVE + CHATTED && n !== 109 ? [n] : []));
  const rated = new Map(done.filter((_, at) => falls(at, RATED - 1, done.length)).map((n, at) => [n, STARS[at % STARS.length]!]));
  return states.map((state, n) => {
    const { opening, patientId } =
      n < LIVE + CHATTED
        ? pairs[pairOf(n)]!
        : { opening: openings[(n * 31) % openings.length]!, patientId: patients[(n * 3) % patients.length]!.patientId };
    return {
      state,
      createdAt:
        n === DESK_STORY
          ? instantOf(morningOf(now))
          : n < LIVE
            ? plusMs(now, -ageOf(n, state))
            : byDay(plusMs(now, -(n === STORY ? days(4) : ageOf(n, state))), n),
      opening,
      patientId,
      priceFen: STORY_ORDERS[n]?.priceFen ?? null,
      refuse: n % 4 === 0 && n !== 110,
      stars: n === 109 ? 5 : (rated.get(n) ?? null),
      rounds: roundsOf(n, opening.itemType),
    };
  });
}

import { dayOf, days, hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { positionsFor, positionOf, type Position } from '../../../contract/delivery/positions.ts';
import { momentOf } from '../../../contract/delivery/schedule.ts';
import type { ShownState } from '../../../contract/delivery/dictionaries.ts';
import { bannerThemes, demoAds, type DemoAd } from './texts.ts';

export interface Plan {
  name: string;
  position: Position;
  /** Of the pictures that several share. */
  title: string;
  words: string;
  shown: ShownState;
  startAt: Instant;
  endAt: Instant;
  weekdays: readonly number[];
  dailyFrom: string | null;
  dailyTo: string | null;
  priority: number;
  opinion: string | null;
  offlineReason: string;
  ad: (DemoAd & { approvalUntil: string | null; budgetSpent: boolean }) | null;
}

/** How many live banners each place has: the first is overfull, the income page of doctors has none. */
const live: Readonly<Record<string, number>> = {
  MP_HOME_BANNER: 8,
  MP_MALL_BANNER: 5,
  MP_RIGHTS_BANNER: 5,
  MP_CONSULT_BANNER: 5,
  DR_HOME_BANNER: 5,
  ST_HOME_BANNER: 5,
  DR_EARNING_BANNER: 0,
};
const others: readonly (readonly [ShownState, number])[] = [
  ['ENDED', 21],
  ['WAITING', 8],
  ['PAUSED_SLOT', 5],
  ['DRAFT', 6],
  ['AUDITING', 6],
  ['REJECTED', 5],
  ['OFFLINE', 6],
];

/** A period in which something stands where it is shown now. */
function periodOf(shown: ShownState, turn: number, now: Instant): Pick<Plan, 'startAt' | 'endAt' | 'weekdays'> {
  const today = dayOf(now);
  const at = (from: number, to: number) => ({
    startAt: startOfDay(plusDays(today, from)),
    endAt: startOfDay(plusDays(today, to)),
    weekdays: [],
  });
  switch (shown) {
    case 'LIVE':
      return at(-(5 + ((turn * 7) % 50)), 6 + ((turn * 5) % 40));
    case 'PAUSED_SLOT':
      // Tomorrow's day of the week, and those after it but today's.
      return { ...at(-20 - turn, 30 + turn), weekdays: [1, 2, 3].map((n) => ((momentOf(now).weekday - 1 + n) % 7) + 1).toSorted() };
    case 'ENDED':
    case 'OFFLINE':
      return at(-(30 + ((turn * 3) % 28)), -(2 + ((turn * 2) % 14)));
    case 'WAITING':
      return at(2 + (turn % 9), 20 + (turn % 20));
    default:
      return at(3 + (turn % 5), 24 + (turn % 20));
  }
}

const rejections = ['主标题字号过小，手机端看不清，请调整后重新提交', '活动时间与页面说明不一致', '图片中的联系电话有误'];

function bannerPlan(position: Position, shown: ShownState, turn: number, now: Instant): Plan {
  const themes = bannerThemes[position.clientType];
  const { title, words } = themes[turn % themes.length] ?? themes[0];
  return {
    name: `${title}${turn < themes.length ? '' : `（第${Math.floor(turn / themes.length) + 1}期）`}`,
    position,
    title,
    words,
    shown,
    ...periodOf(shown, turn, now),
    dailyFrom: null,
    dailyTo: null,
    priority: 90 - (turn % 8) * 10,
    opinion: shown === 'REJECTED' ? (rejections[turn % rejections.length] ?? null) : null,
    offlineReason: shown === 'OFFLINE' ? '活动提前结束' : '',
    ad: null,
  };
}

/** content.md §Demo data: 90 banners, each state at least four times; the first is the story of the national day. */
export function bannerPlans(now: Instant): Plan[] {
  const places = positionsFor('BANNER');
  const plans: Plan[] = [];
  const story = positionOf('MP_HOME_BANNER');
  plans.push({
    ...bannerPlan(story, 'ENDED', 0, now),
    startAt: startOfDay(plusDays(dayOf(now), -55)),
    endAt: startOfDay(plusDays(dayOf(now), -47)),
  });
  for (const position of places)
    for (let n = 0; n < (live[position.positionCode] ?? 0); n += 1) plans.push(bannerPlan(position, 'LIVE', n + 1, now));
  for (const [shown, count] of others)
    for (let n = shown === 'ENDED' ? 1 : 0; n < count; n += 1) {
      const position = places[(n + shown.length) % places.length];
      if (position) plans.push(bannerPlan(position, shown, n + 2, now));
    }
  return plans;
}

const adStates: readonly ShownState[] = [
  ...Array.from({ length: 17 }, () => 'LIVE' as const),
  ...(['WAITING', 'AUDITING', 'ENDED', 'DRAFT'] as const).flatMap((state) => Array.from({ length: 4 }, () => state)),
  'REJECTED',
  'REJECTED',
  'REJECTED',
  'OFFLINE',
  'OFFLINE',
  'PAUSED_SLOT',
  'PAUSED_SLOT',
];
const STEP = 7;
/** Of the live ones, those whose approval ends soon; of the ended ones, those whose budget is used up. */
const [ENDS_SOON, SPENT] = [2, 2];

/** 40 advertisements over all classes and states. */
export function advertPlans(now: Instant): Plan[] {
  const today = dayOf(now);
  const regulated = new Set(['OTC', 'RX', 'DEVICE', 'SUPPLEMENT', 'SERVICE']);
  let [soon, spent, expired, cured] = [0, 0, 0, 0];
  return demoAds.map((ad, index) => {
    const shown = adStates[(index * STEP) % adStates.length] ?? 'LIVE';
    const needs = regulated.has(ad.adClass);
    const period = periodOf(shown, index, now);
    const endsSoon = shown === 'LIVE' && needs && soon < ENDS_SOON;
    if (endsSoon) soon += 1;
    const ranOut = shown === 'OFFLINE' && needs && expired === 0;
    if (ranOut) expired += 1;
    const budgetSpent = shown === 'ENDED' && spent < SPENT;
    if (budgetSpent) spent += 1;
    const promises = shown === 'REJECTED' && cured === 0;
    if (promises) cured += 1;
    const endAt = endsSoon
      ? startOfDay(plusDays(today, 10))
      : ranOut
        ? startOfDay(plusDays(today, -2))
        : budgetSpent
          ? startOfDay(plusDays(today, 12))
          : period.endAt;
    const approvalUntil = !needs ? null : endsSoon ? plusDays(today, 10) : ranOut ? plusDays(today, -3) : plusDays(dayOf(endAt), 200);
    return {
      name: ad.title,
      position: positionOf(ad.positionCode),
      title: ad.title,
      words: ad.words,
      shown,
      ...period,
      endAt,
      dailyFrom: index % 9 === 4 && shown === 'LIVE' ? '00:00' : null,
      dailyTo: index % 9 === 4 && shown === 'LIVE' ? '24:00' : null,
      priority: 50 + (index % 5) * 5,
      opinion: promises ? '画面文字含“根治”，属广告法禁用词，请修改' : shown === 'REJECTED' ? '落地页与广告内容不一致' : null,
      offlineReason: ranOut ? '批准文号到期' : shown === 'OFFLINE' ? '广告主要求下线' : '',
      ad: { ...ad, approvalUntil, budgetSpent },
    };
  });
}

/** When somebody made, handed in and judged it. */
export const momentsOf = ({ startAt }: Plan, now: Instant) => {
  const judgedAt = Date.parse(startAt) < Date.parse(now) ? plusMs(startAt, -hours(20)) : plusMs(now, -hours(6));
  return { createdAt: plusMs(judgedAt, -days(2)), submittedAt: plusMs(judgedAt, -hours(3)), judgedAt };
};

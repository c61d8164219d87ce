import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { audienceFault, type Audience, type PageViewer } from './audience.ts';
import type { DeliveryReason } from './dictionaries.ts';
import { outOfSchedule, type Schedule } from './schedule.ts';

/** What decides whether a delivery is shown. */
export interface Candidate extends Schedule {
  id: string;
  priority: number;
  audience: Audience;
  /** Last day of an advertisement's approval; null: it needs none. */
  approvalUntil: string | null;
  /** Most times that one person sees it in a day, and in all; null: no limit. */
  capDay: number | null;
  capTotal: number | null;
  /** Of a budget that ends the delivery; null: none. */
  budgetLeft: number | null;
}

interface Ask<T> {
  at: Instant;
  viewerOf(candidate: T): PageViewer;
  /** Whether the thing that it leads to is there to be looked at. */
  isOffered(candidate: T): boolean;
  /** How often the viewer saw it today and in all. */
  seen(candidate: T): { today: number; total: number };
  maxItems: number;
}

export interface Chosen<T> {
  item: T;
  reason: DeliveryReason | null;
  /** Which condition of the audience does not hold. */
  detail: string | null;
}

/** Of two ids of rows, decimal texts, the later one first. */
const laterFirst = (a: string, b: string) => b.length - a.length || (a < b ? 1 : a > b ? -1 : 0);
const inOrder = (a: Candidate, b: Candidate) =>
  b.priority - a.priority || Date.parse(b.startAt) - Date.parse(a.startAt) || laterFirst(a.id, b.id);

function judge<T extends Candidate>(one: T, { at, viewerOf, isOffered, seen }: Ask<T>): Pick<Chosen<T>, 'reason' | 'detail'> {
  const because = (reason: DeliveryReason | null, detail: string | null = null) => ({ reason, detail });
  const untimely = outOfSchedule(one, at);
  if (untimely) return because(untimely);
  if (one.approvalUntil !== null && dayOf(at) > one.approvalUntil) return because('APPROVAL');
  const fault = audienceFault(one.audience, viewerOf(one));
  if (fault !== null) return because('AUDIENCE', fault);
  if (!isOffered(one)) return because('OFF');
  if (one.budgetLeft !== null && one.budgetLeft <= 0) return because('BUDGET');
  const { today, total } = seen(one);
  if ((one.capDay !== null && today >= one.capDay) || (one.capTotal !== null && total >= one.capTotal)) return because('CAP');
  return because(null);
}

/**
 * What a place shows to a viewer at an instant, in its order, and after that what it leaves out, each with the reason: by priority, then
 * what began last, then the newest.
 */
export function whatShows<T extends Candidate>(all: readonly T[], ask: Ask<T>): Chosen<T>[] {
  const judged = all.toSorted(inOrder).map((item): Chosen<T> => ({ item, ...judge(item, ask) }));
  const shown = judged.filter(({ reason }) => reason === null);
  const over = shown.slice(ask.maxItems).map(({ item }): Chosen<T> => ({ item, reason: 'OVERFLOW', detail: null }));
  return [...shown.slice(0, ask.maxItems), ...over, ...judged.filter(({ reason }) => reason !== null)];
}

/** Near its end a budget is given out slower and slower, so that what is on its way when it ends stays within a hundredth. */
const SLOW_FROM = 0.1;

/** Whether an advertisement whose budget nears its end is given out to one more request; `dice` from 0 to 1. */
export const budgetGives = (left: number, budget: number, dice: number): boolean => dice < left / Math.max(1, budget * SLOW_FROM);

import { positionCapacity, type Position } from '../dictionaries.ts';

/** Longest time that a doctor may stand in a position at one go. */
export const LONGEST_DAYS = 180;

const patterns: Readonly<Record<Position, { pattern: RegExp; message: string }>> = {
  HOME: { pattern: /^\*$/, message: '首页名医没有范围' },
  DISEASE: { pattern: /^disease:[1-9]\d{0,18}$/, message: '请选择病种' },
  CHANNEL: { pattern: /^channel:[1-9]\d{0,18}$/, message: '请选择渠道' },
  SEARCH: { pattern: /^keyword:\S.{0,19}$/u, message: '请输入搜索词（最多20个字符）' },
};

/** Why this is no scope of the position; null when it is. */
export const scopeFault = (position: Position, scopeKey: string): string | null =>
  patterns[position].pattern.test(scopeKey) ? null : patterns[position].message;

/** `disease:12` → `12`; the keyword of a search; empty for the home page. */
export const scopeRef = (scopeKey: string): string => (scopeKey === '*' ? '' : scopeKey.slice(scopeKey.indexOf(':') + 1));

export interface Stretch {
  startAt: string;
  endAt: string;
}

/** Most stretches that run at one instant within `window`; a stretch ends before the instant of its end. */
export function peakOf(stretches: readonly Stretch[], window: Stretch): number {
  const within = stretches.filter(({ startAt, endAt }) => startAt < window.endAt && endAt > window.startAt);
  const instants = [window.startAt, ...within.map(({ startAt }) => startAt).filter((at) => at > window.startAt)];
  // The number grows only where one starts, so those instants are enough.
  return Math.max(0, ...instants.map((at) => within.filter(({ startAt, endAt }) => startAt <= at && at < endAt).length));
}

/** Whether one more stretch keeps the position within its capacity at every instant. */
export const hasPlace = (position: Position, others: readonly Stretch[], wish: Stretch): boolean =>
  peakOf(others, wish) < positionCapacity[position];

import { dayOf, hours, instantOf, plusDays, startOfDay } from '#kernel/contract/time.ts';

const MOST_MS = 30 * 24 * 3_600_000;
export const SNOOZE_RANGE = '稍后处理时间须在30天以内';

/** 1小时, 今天18:00 while it is not past, 明天09:00. */
export function snoozeChoices(nowMs: number): { label: string; until: string }[] {
  const now = instantOf(nowMs);
  const evening = startOfDay(dayOf(now), '18:00');
  return [
    { label: '1小时', until: instantOf(nowMs + hours(1)) },
    ...(evening > now ? [{ label: '今天18:00', until: evening }] : []),
    { label: '明天09:00', until: startOfDay(plusDays(dayOf(now), 1), '09:00') },
  ];
}

/** Why a time may not be chosen; null when it may. */
export const snoozeFault = (until: string, nowMs: number): string | null => {
  const at = Date.parse(until);
  return Number.isNaN(at) || at <= nowMs || at > nowMs + MOST_MS ? SNOOZE_RANGE : null;
};

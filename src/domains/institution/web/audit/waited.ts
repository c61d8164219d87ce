import type { Instant } from '#kernel/contract/time.ts';

/** How long a request waits, or waited until it was decided. */
export function waited(since: Instant, until: Instant | null): string {
  const minutes = Math.max(0, Math.floor(((until ? Date.parse(until) : Date.now()) - Date.parse(since)) / 60_000));
  if (minutes < 60) return `${minutes}分钟`;
  return minutes < 1440
    ? `${Math.floor(minutes / 60)}小时${minutes % 60}分`
    : `${Math.floor(minutes / 1440)}天${Math.floor((minutes % 1440) / 60)}小时`;
}

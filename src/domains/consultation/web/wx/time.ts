import { showInstant, instantOf, dayOf } from '#kernel/contract/time.ts';

/** `14:05` today, `11-20 14:05` before. @param seconds as messages carry it */
export function showTime(seconds: number): string {
  const at = instantOf(seconds * 1000);
  const text = showInstant(at);
  return dayOf(at) === dayOf(instantOf(Date.now())) ? text.slice(11, 16) : text.slice(5, 16);
}

/** `2天3小时`, `3小时20分`, `12分`. */
export function showLeft(seconds: number): string {
  const [d, h, m] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  if (d > 0) return `${d}天${h}小时`;
  return h > 0 ? `${h}小时${m}分` : `${Math.max(1, m)}分`;
}

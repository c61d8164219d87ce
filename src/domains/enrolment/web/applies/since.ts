import type { Instant } from '#kernel/contract/time.ts';

/** How long something is as it is: `3小时`, `2天`. */
export function sinceText(at: Instant): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return `${minutes}分钟`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}小时` : `${Math.floor(hours / 24)}天`;
}

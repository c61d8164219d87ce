import { showInstant } from '#kernel/contract/time.ts';

const text = (seconds: number) => showInstant(new Date(seconds * 1000).toISOString());
const today = () => text(Date.now() / 1000).slice(0, 10);

/** `10:32` today, `昨天`, `11-20`, `2025-11-20`. */
export function listTime(seconds: number): string {
  if (seconds <= 0) return '';
  const at = text(seconds);
  if (at.slice(0, 10) === today()) return at.slice(11, 16);
  if (at.slice(0, 10) === text(Date.now() / 1000 - 86_400).slice(0, 10)) return '昨天';
  return at.slice(0, 4) === today().slice(0, 4) ? at.slice(5, 10) : at.slice(0, 10);
}

/** A divider of the chat: `10:32`, `昨天 10:32`, `11-20 10:32`. */
export function dividerTime(seconds: number): string {
  const day = listTime(seconds);
  const time = text(seconds).slice(11, 16);
  return day === time ? time : `${day} ${time}`;
}

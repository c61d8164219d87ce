/** Tone and text of a row's time limit. */
export interface SlaChip {
  text: string;
  tone: 'calm' | 'soon' | 'over';
}

const two = (value: number) => String(value).padStart(2, '0');
/** `2:15`, `1:02:15`, `2天3小时`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  if (days > 0) return `${days}天${Math.floor((whole % 86_400) / 3600)}小时`;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
/** `23:41:10`, for what is left of an inquiry; from two days on `89天21小时`. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole >= 2 * 86_400) return spanText(whole);
  return `${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
};

/** 剩余 2:15, orange under 30 % of the whole, red 超时 4:10 when past; null where nobody waits. */
export function slaOf(
  row: { slaDueAt: string | null; waitingSince: string | null; queuedAt: string | null },
  nowMs: number,
): SlaChip | null {
  if (!row.slaDueAt) return null;
  const due = Date.parse(row.slaDueAt);
  if (due <= nowMs) return { text: `超时 ${spanText((nowMs - due) / 1000)}`, tone: 'over' };
  const since = Date.parse(row.waitingSince ?? row.queuedAt ?? row.slaDueAt);
  const share = due > since ? (due - nowMs) / (due - since) : 1;
  return { text: `剩余 ${spanText((due - nowMs) / 1000)}`, tone: share < 0.3 ? 'soon' : 'calm' };
}

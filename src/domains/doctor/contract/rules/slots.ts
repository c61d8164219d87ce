import { timeSlots } from '#kernel/contract/time.ts';

/** Times of a week at which a doctor can be booked; `quota` holds for each half hour. */
export interface WeekSlot {
  /** 1 = Monday … 7 = Sunday. */
  weekday: number;
  from: string;
  to: string;
  quota: number;
}

const MINUTE_MS = 60_000;
const SHANGHAI_OFFSET_MS = 8 * 3_600_000;
export const SLOT_MINUTES = 30;

/** Why these spans cannot stand; null when they can. */
export function slotFault(slots: readonly WeekSlot[]): { index: number; message: string } | null {
  for (const [index, slot] of slots.entries()) {
    if (!timeSlots.includes(slot.from) || !timeSlots.includes(slot.to))
      return { index, message: '可预约时段须在08:30至18:30之间，每30分钟一档' };
    if (slot.from >= slot.to) return { index, message: '结束时间须晚于开始时间' };
    const overlaps = slots.some(
      (other, at) => at < index && other.weekday === slot.weekday && other.from < slot.to && slot.from < other.to,
    );
    if (overlaps) return { index, message: '可预约时段不能重叠' };
  }
  return null;
}

/** Places that the week offers at an instant; 0 where nothing is offered or the instant is no half hour. */
export function quotaAt(slots: readonly WeekSlot[], at: string): number {
  const ms = Date.parse(at);
  if (Number.isNaN(ms) || ms % (SLOT_MINUTES * MINUTE_MS) !== 0) return 0;
  const local = new Date(ms + SHANGHAI_OFFSET_MS);
  const weekday = local.getUTCDay() === 0 ? 7 : local.getUTCDay();
  const time = local.toISOString().slice(11, 16);
  return slots.find((slot) => slot.weekday === weekday && slot.from <= time && time < slot.to)?.quota ?? 0;
}

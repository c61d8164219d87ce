import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Writing } from '../../../../kernel/server/context.ts';

type Acting = Pick<Writing, 'tx' | 'publish'> & { now: Instant };

/** Who serves a paid order (R6), and whether he was already full. `orderId` takes the place in his load at once. */
export async function chooseAssistant(_ctx: Acting, _wish: { doctorId: string; at: Instant; orderId?: string }): Promise<{ assistantId: string | null; overload: boolean }> {
  return { assistantId: null, overload: false };
}

/** Ends all live binds of a doctor. */
export async function endBindsOf(_ctx: Acting, _doctorId: string, _reason: string): Promise<void> {}

/**
 * Keeps the projection of open inquiries; call it on every event of an inquiry. One row per order, so a place taken at payment,
 * the inquiry that follows and every repeated event count once.
 */
export async function followInquiry(
  _ctx: Acting,
  _inquiry: { orderId: string; inquiryId: string; doctorId: string; assistantId: string | null; open: boolean; seq: number; replySeconds?: number },
): Promise<void> {}

/** The order came to nothing before an inquiry was opened: its place is free again. */
export async function freePlace(_ctx: Acting, _orderId: string): Promise<void> {}

/** Live binds of doctors, primary first. */
export async function bindsOf(_db: Db, _doctorIds: readonly string[]): Promise<{ doctorId: string; assistantId: string; operatorId: string; name: string; role: 'PRIMARY' | 'BACKUP' }[]> {
  return [];
}

import type { PayloadOf } from '#kernel/contract/event.ts';
import type { consultOrderRefunded } from '#events/doctor.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { endRooms } from '../videos/leave.ts';
import { isLive, moveInquiry } from './move.ts';
import { lockInquiry } from './rows.ts';

const inquiryIdOf = async (ctx: Deed, orderId: string) =>
  (await ownTx(ctx.tx).selectFrom('consultationInquiry').select('id').where('orderId', '=', orderId).executeTakeFirst())?.id ?? null;

/** The order was never paid. */
export async function onOrderClosed(ctx: Deed, orderId: string): Promise<void> {
  const id = await inquiryIdOf(ctx, orderId);
  const locked = id === null ? null : await lockInquiry(ctx.tx, id);
  if (locked?.inquiry.serverStatus === '0') await moveInquiry(ctx, locked, 'payClosed', {});
}

/** Money went back: all of it ends a live inquiry, whoever asked for it over there. */
export async function onOrderRefunded(ctx: Deed, refund: PayloadOf<typeof consultOrderRefunded>): Promise<void> {
  const id = await inquiryIdOf(ctx, refund.orderId);
  if (id === null) return;
  const locked = await lockInquiry(ctx.tx, id);
  const { inquiry } = locked;
  const money = { refundedFen: String(refund.refundedFen), refundState: 'DONE' as const };
  if (refund.result === 'ALL' && isLive(inquiry.serverStatus)) {
    const after = await moveInquiry(
      ctx,
      locked,
      'refunded',
      { ...money, endSeq: String(locked.place?.lastSeq ?? 0), endConfirmDueAt: null },
      { reason: 'REFUNDED' },
    );
    if (after.groupId !== null) await endRooms(ctx, after.groupId, 'INQUIRY_CLOSED');
  } else
    await ownTx(ctx.tx)
      .updateTable('consultationInquiry')
      .set({ ...money, updatedAt: ctx.now })
      .where('id', '=', id)
      .execute();
}

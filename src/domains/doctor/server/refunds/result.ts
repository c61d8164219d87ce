import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { RefundAnswer } from '#kernel/server/pay/port.ts';
import { attach, definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { auditRefundResult, registerRefundResult } from '../../contract/calls/refunds.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { consultRefundMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { REFUND_PROOF } from '../../contract/purposes.ts';
import { own, ownTx } from '../database.ts';
import { REFUND_TARGET, seesOrder } from '../orders/access.ts';
import { lockRefund, settleRefund } from './settle.ts';

const MB = 1024 * 1024;

/** Who may upload what the channel says of a refund, and look at it: whoever sees the order. */
export function registerRefundProofs(): void {
  definePurpose({
    code: REFUND_PROOF,
    label: '退款核实凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 1,
    sensitive: true,
    uploadPermissions: [may['consult.refund'].code],
  });
  const sees = async ({ db, staff }: Reader, id: string) =>
    staff.permissions.has(may['consult.view'].code) &&
    (await own(db)
      .selectFrom('doctorConsultRefund as r')
      .innerJoin('doctorConsultOrder as o', 'o.id', 'r.orderId')
      .select('r.id')
      .where('r.id', '=', id)
      .where(seesOrder(staff))
      .executeTakeFirst()) !== undefined;
  registerOwner(REFUND_TARGET, { canRead: sees, canReadOriginal: sees });
}

/** @throws Refusal SCM90011 for a refund of an order that is not seen */
export async function lockSeenRefund(ctx: CommandContext, refundId: string) {
  const seen = await own(ctx.tx)
    .selectFrom('doctorConsultRefund as r')
    .innerJoin('doctorConsultOrder as o', 'o.id', 'r.orderId')
    .select('r.id')
    .where('r.id', '=', refundId)
    .where(seesOrder(ctx.staff))
    .executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND, { message: '退款单不存在或已删除' });
  return lockRefund(ctx, refundId);
}

const nothingFound = { foundOutcome: null, foundRefundNo: null, foundNote: null, foundFileId: null, foundBy: null, foundAt: null };

/** An open refund ends by the channel's answer, or by what one person found out of the channel with proof and another one confirmed. */
export const resultHandlers = (kernel: Kernel): readonly Handler[] => [
  command(registerRefundResult, async ({ refundId, outcome, channelRefundNo, fileId, opinion }, ctx) => {
    const { refund } = await lockSeenRefund(ctx, refundId);
    const target = { targetType: REFUND_TARGET, targetId: refundId, targetNo: refund.refundNo };
    const state = await moveState(ctx, consultRefundMachine, { ...target, action: 'register', from: refund.state, opinion });
    const number = channelRefundNo?.trim() || null;
    const link = { ownerType: REFUND_TARGET, ownerId: refundId, field: 'proof', purpose: REFUND_PROOF, userId: ctx.staff.userId };
    await attach(ctx.tx, { ...link, fileIds: [fileId] }, ctx.now);
    await ownTx(ctx.tx)
      .updateTable('doctorConsultRefund')
      .set({
        foundOutcome: outcome,
        foundRefundNo: number,
        foundNote: opinion,
        foundFileId: fileId,
        foundBy: ctx.staff.userId,
        foundAt: ctx.now,
        version: refund.version + 1,
        updatedAt: ctx.now,
      })
      .where('id', '=', refundId)
      .execute();
    return { id: refundId, refundNo: refund.refundNo, state, version: refund.version + 1, allowedActions: [] };
  }),

  command(auditRefundResult, async ({ refundId, action, opinion }, ctx) => {
    const { refund } = await lockSeenRefund(ctx, refundId);
    await moveState(ctx, consultRefundMachine, {
      targetType: REFUND_TARGET,
      targetId: refundId,
      targetNo: refund.refundNo,
      action,
      from: refund.state,
      opinion,
      contributors: [refund.foundBy],
    });
    const { foundOutcome, foundRefundNo, foundNote } = refund;
    if (foundOutcome === null) throw refuse(doctorErrors.RESULT_ABSENT);
    if (action === 'confirm') {
      const answer: RefundAnswer = {
        state: foundOutcome,
        channelRefundNo: foundRefundNo,
        failReason: foundOutcome === 'FAILED' ? foundNote : null,
      };
      await settleRefund(kernel, ctx, refundId, answer);
    } else {
      await ownTx(ctx.tx)
        .updateTable('doctorConsultRefund')
        .set({ ...nothingFound, version: refund.version + 1, updatedAt: ctx.now })
        .where('id', '=', refundId)
        .execute();
    }
    const state = action === 'confirm' ? foundOutcome : refund.state;
    return { id: refundId, refundNo: refund.refundNo, state, version: refund.version + 1, allowedActions: [] };
  }),
];

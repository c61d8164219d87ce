import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { auditRx } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { desk, orderRecords, writeOrder } from './access.ts';
import { cancelOrder } from './cancel.ts';
import { beginPayment } from './pay.ts';

/** A pharmacist's word on a prescription: then it may be paid, or the order ends before anybody paid anything. */
export const audit = (kernel: Kernel) =>
  command(auditRx, async ({ orderId, version, leaseToken, result, reasonCodes, opinion }, ctx) => {
    const order = await orderRecords.lock(ctx.tx, ctx.staff, orderId);
    ctx.target({ type: orderRecords.type, id: order.id, no: order.orderNo, looked: true });
    if (order.state !== 'PENDING_RX') throw refuse(platformErrors.WRONG_STATE, { state: orderMachine.states[order.state].label });
    await desk.requireHeld(ctx, order, leaseToken);
    await requireVersion(ctx, orderRecords.type, order, version);
    await desk.drop(ctx.tx, order.id);
    const free = await writeOrder(ctx, order, noLease);
    const by = { rxBy: ctx.staff.userId, rxByName: ctx.staff.displayName, rxAt: ctx.now };
    const decided =
      result === 'PASSED'
        ? await beginPayment(kernel, ctx, free, 'passRx', { rxResult: 'PASSED', ...by, opinion })
        : await cancelOrder(kernel, ctx, free, {
            action: 'failRx',
            reasonCode: 'RX_FAILED',
            opinion,
            change: { rxResult: 'FAILED', rxReasons: [...reasonCodes], ...by },
          });
    return actionAnswer(ctx, orderMachine, decided);
  });

import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import {
  addOrderRemark,
  cancelOrder as cancelCall,
  modifyOrderAddress,
  payCardsAgain as payCardsCall,
  revealOrder,
} from '../../contract/calls/orders.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { own } from '../database.ts';
import { moveOrder, orderRecords, type OrderRecord } from './access.ts';
import { cancelOrder } from './cancel.ts';
import { payCardsAgain } from './pay.ts';
import { receiverColumns } from './secrets.ts';

const addressView = (row: OrderRecord) => ({
  receiverName: row.receiverNameMasked ?? '',
  receiverMobile: row.receiverMobileMasked ?? '',
  adcode: row.adcode ?? '',
  addressDetail: row.addressMasked ?? '',
  lng: row.lng,
  lat: row.lat,
});

/** @throws Refusal SCM16011 while a supplier has a part of it, SCM90020 for an order that goes nowhere */
export const modifyAddress = ({ secrets }: Kernel) =>
  command(modifyOrderAddress, async ({ orderId, version, ...receiver }, ctx) => {
    const order = await orderRecords.lockVersion(ctx, orderId, version, addressView);
    if (order.orderType !== 'B2C') throw refuseField('addressDetail', '该订单类型没有收货地址');
    const live = await own(ctx.tx)
      .selectFrom('orderFulfilment')
      .select('id')
      .where('orderId', '=', orderId)
      .where('state', 'not in', ['REJECTED', 'CANCELLED'])
      .limit(1)
      .executeTakeFirst();
    if (live) throw refuse(orderErrors.PUSHED);
    const known = await regionsOf(ctx.tx, [receiver.adcode]);
    if (!known.has(receiver.adcode)) throw refuseField('adcode', '请选择省市区');
    const columns = receiverColumns(secrets, receiver);
    const before = order.adcode === null ? '' : regionText(await regionsOf(ctx.tx, [order.adcode]), order.adcode);
    const moved = await moveOrder(ctx, order, 'editAddress', columns, {
      differences: [
        { path: 'receiverName', label: '收货人', before: order.receiverNameMasked, after: columns.receiverNameMasked },
        { path: 'receiverMobile', label: '收货手机号', before: order.receiverMobileMasked, after: columns.receiverMobileMasked },
        {
          path: 'address',
          label: '收货地址',
          before: `${before}${order.addressMasked ?? ''}`,
          after: `${regionText(known, receiver.adcode)}${columns.addressMasked}`,
        },
      ].filter((difference) => difference.before !== difference.after),
    });
    return actionAnswer(ctx, orderMachine, moved);
  });

export const remark = command(addOrderRemark, async ({ orderId, version, staffRemark }, ctx) => {
  const order = await orderRecords.lockVersion(ctx, orderId, version, (row) => ({ staffRemark: row.staffRemark }));
  const differences = [{ path: 'staffRemark', label: '备注', before: order.staffRemark, after: staffRemark }];
  const moved = await moveOrder(ctx, order, 'remark', { staffRemark }, { differences });
  return actionAnswer(ctx, orderMachine, moved);
});

export const cancel = (kernel: Kernel) =>
  command(cancelCall, async ({ orderId, version, reasonCode, opinion }, ctx) => {
    const order = await orderRecords.lockVersion(ctx, orderId, version, () => ({ reasonCode, opinion: '' }));
    return actionAnswer(ctx, orderMachine, await cancelOrder(kernel, ctx, order, { action: 'cancel', reasonCode, opinion }));
  });

/** 重新扣卡. @throws Refusal SCM90031, SCM16062, SCM17030–17039 */
export const retryCards = (kernel: Kernel) =>
  command(payCardsCall, async ({ orderId, version }, ctx) =>
    actionAnswer(ctx, orderMachine, await payCardsAgain(kernel, ctx, await orderRecords.lockVersion(ctx, orderId, version, () => ({})))),
  );

export const reveal = ({ secrets }: Kernel) =>
  command(revealOrder, async ({ id, field }, ctx) => {
    const order = await orderRecords.get(ctx.tx, ctx.staff, id);
    ctx.target({ type: orderRecords.type, id, no: order.orderNo, looked: true });
    const cipher = {
      buyerName: order.buyerNameCipher,
      buyerMobile: order.buyerMobileCipher,
      receiverName: order.receiverNameCipher,
      receiverMobile: order.receiverMobileCipher,
      address: order.addressCipher,
    }[field];
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });

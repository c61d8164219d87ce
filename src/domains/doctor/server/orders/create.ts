import { sql, type SqlBool } from 'kysely';
import type * as z from 'zod/mini';
import { mask } from '#kernel/contract/masking.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, minutes, plusDays, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { getVipBenefit, reserveVip } from '#domains/channel/server/index.ts';
import type { createConsultOrderInput } from '../../contract/calls/consultOrders.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { discountOf } from '../../contract/rules/discount.ts';
import { attributePatient, bringingScan } from '../attribution/attribute.ts';
import { json, ownTx } from '../database.ts';
import { takeSlot } from '../openings/slots.ts';
import { lockOrder, type OrderRecord } from './access.ts';
import { moveOrder } from './move.ts';
import { settlePayment } from './pay.ts';
import { lockOffer, type Offer } from './snapshot.ts';

export type OrderKernel = Pick<Kernel, 'secrets' | 'pay' | 'ports'>;
export type NewOrder = z.output<typeof createConsultOrderInput>;
export const patientMobileHash = (kernel: Pick<Kernel, 'secrets'>, mobile: string) =>
  kernel.secrets.blindIndex('doctor.patientMobile', mobile);

/** A refund may still lead back into service. Written out: with parameters a general plan could not prove that the partial index fits. */
const LIVE = sql<SqlBool>`state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING') and ended_at is null`;
const SLOT_MINUTES = 15;
const PLAIN_HOURS = 2;

/** Refuses what the doctor cannot take, before anything is written. */
async function requireOffer(ctx: Acting, openingId: string, slotAt: string | null): Promise<Offer> {
  const offer = await lockOffer(ctx.tx, openingId, ctx.today);
  if (!offer) throw refuse(platformErrors.NOT_FOUND, { message: '服务不存在或已关闭' });
  if (!offer.takesOrders) throw refuse(doctorErrors.DOCTOR_OFF);
  if (offer.needSlot !== (slotAt !== null)) throw refuseField('slotAt', offer.needSlot ? '请选择预约时段' : '该服务不需要预约时段');
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
      from doctor_consult_order
      where opening_id = ${openingId}
        and state <> 'CLOSED'
        and created_at >= ${startOfDay(ctx.today)}
        and created_at < ${startOfDay(plusDays(ctx.today, 1))}`.execute(ctx.tx);
  if (rows[0]!.n >= offer.dailyLimit) throw refuse(doctorErrors.SLOT_FULL, { message: '今日接诊名额已满' });
  return offer;
}

/** R7: the channel's discount, reserved in this transaction; without room in the budget the price stays. */
async function takeDiscount(ctx: Acting, order: OrderRecord, offer: Offer): Promise<OrderRecord> {
  if (order.channelId === null) return order;
  const benefit = await getVipBenefit(ctx.tx, {
    channelId: order.channelId,
    itemId: order.itemId,
    at: ctx.now,
    patientId: order.patientId,
  });
  const discountFen = benefit ? discountOf(offer.priceFen, benefit.discountBp, offer.lowestFen) : 0;
  if (!benefit || discountFen === 0) return order;
  const reserved = await reserveVip(
    ctx.tx,
    benefit.vipId,
    { orderId: order.id, amountFen: BigInt(discountFen), doctorName: offer.doctorName },
    ctx.now,
  );
  const change = reserved
    ? { discountFen: String(discountFen), payFen: String(offer.priceFen - discountFen), discountSource: 'VIP' as const }
    : { budgetUsedUp: true };
  await ownTx(ctx.tx).updateTable('doctorConsultOrder').set(change).where('id', '=', order.id).execute();
  return lockOrder(ctx.tx, { id: order.id });
}

/**
 * A patient buys what a doctor offers, in the caller's transaction. The place of a booked time, the VIP's discount and the order stand or
 * fall together.
 * @throws Refusal SCM07077 not offered now, SCM07076 time or day full, SCM07079 the same service is running already.
 */
export async function createConsultOrder(
  kernel: OrderKernel,
  ctx: Acting,
  { patient, openingId, slotAt = null, scanToken, payChannel }: NewOrder,
): Promise<OrderRecord> {
  const offer = await requireOffer(ctx, openingId, slotAt);
  const mobileMasked = patient.mobile === null ? null : mask('mobile', patient.mobile);
  const attribution = await attributePatient(kernel, ctx, {
    patientId: patient.patientId,
    name: patient.name,
    mobileMasked,
    scanToken: scanToken ?? null,
  });
  const scan = await bringingScan(kernel, ctx.tx, scanToken, ctx.now);
  const at = slotAt === null ? null : new Date(slotAt).toISOString();
  if (at !== null) await takeSlot(ctx, openingId, at);
  const made = await ownTx(ctx.tx)
    .insertInto('doctorConsultOrder')
    .values({
      orderNo: await nextNumber(ctx.tx, 'ZX', ctx.today),
      doctorId: offer.doctorId,
      openingId,
      itemId: offer.itemId,
      itemType: offer.itemType,
      itemSnapshot: json(offer.snapshot),
      productLineId: offer.productLineId,
      patientId: patient.patientId,
      patientNameCipher: kernel.secrets.encrypt(patient.name),
      patientNameMasked: mask('name', patient.name),
      ...(patient.mobile === null
        ? {}
        : {
            patientMobileCipher: kernel.secrets.encrypt(patient.mobile),
            patientMobileHash: patientMobileHash(kernel, patient.mobile),
            patientMobileMasked: mobileMasked,
          }),
      adcode: offer.adcode,
      scanId: scan?.scanId ?? null,
      channelId: attribution.channelId,
      sceneCodeId: attribution.sceneCodeId,
      agentId: attribution.agentId,
      attributionId: attribution.id,
      priceFen: String(offer.priceFen),
      payFen: String(offer.priceFen),
      slotAt: at,
      slotHeld: at !== null,
      expireAt: plusMs(ctx.now, at === null ? hours(PLAIN_HOURS) : minutes(SLOT_MINUTES)),
      payChannel: payChannel ?? kernel.pay.available[0] ?? 'WECHAT',
      state: 'WAIT_PAY',
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['patientId', 'openingId']).where(LIVE).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw refuse(doctorErrors.ORDER_EXISTS);
  const priced = await takeDiscount(ctx, await lockOrder(ctx.tx, { id: made.id }), offer);
  const order = await moveOrder(ctx, priced, 'create');
  return order.payFen === 0 ? settlePayment(kernel, ctx, order, { payChannel: 'FREE', channelTradeNo: null, paidAt: ctx.now }) : order;
}

/** What a creation answers; the link leads to the payment page, nothing is asked of the channel before the payer opens it. */
export const createdAnswer = (kernel: Pick<Kernel, 'pay'>, order: OrderRecord) => ({
  orderId: order.id,
  orderNo: order.orderNo,
  state: order.state,
  priceFen: order.priceFen,
  discountFen: order.discountFen,
  payFen: order.payFen,
  discountSource: order.discountSource,
  budgetUsedUp: order.budgetUsedUp,
  expireAt: order.expireAt,
  payUrl: order.state === 'WAIT_PAY' ? kernel.pay.linkOf(order.orderNo) : null,
});

import { yuan } from '#kernel/contract/money.ts';
import type { EventDeclaration, PayloadOf } from '#kernel/contract/event.ts';
import { consumer, type Consumer } from '#kernel/server/outbox/consumer.ts';
import { cardExpiryNeared, cardGranted } from '#events/card.ts';
import { claimResultNotified, claimSupplementRequested } from '#events/claim.ts';
import { applyApproved, applyClosed, applyRejected, applySubmitted, applySupplementRequested } from '#events/enrolment.ts';
import { fulfilmentShipped, fulfilmentSigned } from '#events/order.ts';
import { autoTrigger } from '../../contract/welcome/dictionaries.ts';
import { planMessage } from './plan.ts';

type Values = Readonly<Record<string, string | null>>;

/** Days are told, not moments; what is not told stands as the text's fallback. */
const day = (at: string | null): string | null => at && at.slice(0, 'yyyy-mm-dd'.length);

/** Answers an event with the notice in use for it, once per event and patient (R13). */
const notice = <E extends EventDeclaration>(
  event: E,
  patientOf: (payload: PayloadOf<E>) => string,
  valuesOf: (payload: PayloadOf<E>) => Values,
): Consumer =>
  consumer('corpus', event, async ({ eventId, payload }, ctx) => {
    const patientId = patientOf(payload);
    const triggerType = autoTrigger.schema.parse(event.name);
    const values = Object.fromEntries(Object.entries(valuesOf(payload)).flatMap(([name, value]) => (value ? [[name, value]] : [])));
    await planMessage(ctx, { triggerType, patientId, conversationId: null, dedupeKey: `FN:${eventId}:${patientId}`, values });
  });

const patientOf = ({ patientId }: { patientId: string }): string => patientId;
const apply = ({ applyNo, applicantWording }: { applyNo: string; applicantWording: string | null }): Values => ({
  申请编号: applyNo,
  办理说明: applicantWording,
});
const claim = ({ claimNo, applicantWording, dueAt }: { claimNo: string; applicantWording: string; dueAt: string | null }): Values => ({
  理赔编号: claimNo,
  办理说明: applicantWording,
  截止日期: day(dueAt),
});

/** Events of other domains that a patient is told of, with what the texts may name of them. */
export const noticeConsumers: readonly Consumer[] = [
  notice(applySubmitted, patientOf, apply),
  notice(applyApproved, patientOf, apply),
  notice(applyRejected, patientOf, apply),
  notice(applyClosed, patientOf, apply),
  notice(applySupplementRequested, patientOf, (payload) => ({ ...apply(payload), 截止日期: day(payload.dueAt) })),
  notice(claimSupplementRequested, patientOf, claim),
  notice(claimResultNotified, patientOf, claim),
  notice(fulfilmentShipped, patientOf, ({ orderNo, waybillNo }) => ({ 订单编号: orderNo, 运单编号: waybillNo })),
  notice(fulfilmentSigned, patientOf, ({ orderNo }) => ({ 订单编号: orderNo })),
  notice(cardGranted, patientOf, ({ cardTypeName, amount, expireAt }) => ({
    权益卡名称: cardTypeName,
    金额: yuan(amount),
    到期日期: day(expireAt),
  })),
  notice(cardExpiryNeared, patientOf, ({ amount, expireAt }) => ({ 金额: yuan(amount), 到期日期: day(expireAt) })),
];

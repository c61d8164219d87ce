import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const text = z.string();
const fen = z.int();

export const cardGranted = event(
  'card.card.granted',
  z.strictObject({ grantId: id, cardId: id, patientId: id, cardTypeId: id, cardTypeName: text, amount: fen, bonus: fen, expireAt: text }),
);
/** 30, 7 and 1 days before the end. */
export const cardExpiryNeared = event('card.card.expiryNeared', z.strictObject({ cardId: id, patientId: id, amount: fen, expireAt: text }));

export const cardHoldTimedOut = event(
  'card.hold.timedOut',
  z.strictObject({ holdId: id, bizType: text, bizId: id, cardId: id, amount: fen }),
);
export const writeOffReversed = event(
  'card.writeOff.reversed',
  z.strictObject({
    reversalNo: text,
    writeOffId: id,
    orderId: id,
    orderLineId: id,
    amount: fen,
    lots: z.array(z.strictObject({ lotId: id, amount: fen })),
  }),
);
export const billConfirmed = event(
  'card.bill.confirmed',
  z.strictObject({
    billId: id,
    billNo: text,
    direction: text,
    counterpartyType: text,
    counterpartyId: id,
    counterpartyName: text,
    productCode: z.nullable(text),
    netAmount: fen,
    lines: z.array(z.strictObject({ taxCode: z.nullable(text), taxRateBp: z.nullable(z.int()), amount: fen })),
  }),
);
export const billSettled = event(
  'card.bill.settled',
  z.strictObject({ billId: id, billNo: text, direction: text, counterpartyId: id, amount: fen, paymentNo: text, at: text }),
);

import * as z from 'zod/mini';
import { event } from '../kernel/contract/event.ts';

const id = z.string();
const text = z.string();
const fen = z.int();

export const cardGranted = event(
  'card.card.granted',
  z.strictObject({ grantId: id, cardId: id, patientId: id, cardTypeId: id, cardTypeName: text, amount: fen, bonus: fen, expireAt: text }),
);
/** 30, 7 and 1 days before the end. */
export const cardExpiryNeared = event('card.card.expiryNeared', z.strictObject({ cardId: id, patientId: id, amount: fen, expireAt: text }));

import { randomInt } from 'node:crypto';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { CardKind } from '../../contract/dictionaries.ts';

/** `3000 12** **** 4567`. */
export const maskCardNo = (cardNo: string): string => `${cardNo.slice(0, 4)} ${cardNo.slice(4, 6)}** **** ${cardNo.slice(12)}`;

const KIND_DIGITS: Readonly<Record<CardKind, string>> = { BENEFIT_CARD: '10', COUPON: '20', STORED_VALUE: '30' };

/** Luhn's check digit of the digits before it. */
export function checkDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    // The last of these digits stands beside the check digit and is doubled.
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

export const isCardNo = (text: string): boolean => /^\d{16}$/.test(text) && checkDigit(text.slice(0, 15)) === text[15];

/** A number of its batch: kind, batch, eight random digits, check digit. It may be taken; the table's unique column says so. */
export function randomCardNo(kind: CardKind, batchId: string): string {
  const body = `${KIND_DIGITS[kind]}${(BigInt(batchId) % 100_000n).toString().padStart(5, '0')}${String(randomInt(100_000_000)).padStart(8, '0')}`;
  return body + checkDigit(body);
}

const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const SECRET_LENGTH = 12;

/**
 * The secret of a card of a batch, made from the batch's seed and the system's key: it stands nowhere, and nowhere at all once the
 * seed is gone.
 */
export function secretOf(secrets: Secrets, seed: string, cardNo: string): string {
  let rest = BigInt(`0x${secrets.sign('card.secret', `${seed}:${cardNo}`)}`);
  let text = '';
  for (let at = 0; at < SECRET_LENGTH; at += 1) {
    text += LETTERS[Number(rest % BigInt(LETTERS.length))];
    rest /= BigInt(LETTERS.length);
  }
  return text;
}

/** As people type it: small letters and blanks do not matter. */
export const hashOfSecret = (secrets: Secrets, cardNo: string, secret: string): string =>
  secrets.sign('card.secretHash', `${cardNo}:${secret.toUpperCase().replaceAll(/[\s-]/g, '')}`);

/** A secret or a password that nobody can guess. */
export const randomSecret = (length = SECRET_LENGTH): string => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

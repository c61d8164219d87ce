import { randomInt } from 'node:crypto';

/** Digits and capitals without I, L, O and U: 32 signs, the check runs over the first 31. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_PART = 9;
const CHECK_BASE = 31;

const checkOf = (part: string): string =>
  ALPHABET[[...part].reduce((sum, sign, index) => sum + (index + 1) * ALPHABET.indexOf(sign), 0) % CHECK_BASE]!;

/** Nine random signs (45 bits) and one that checks them. */
export function newToken(): string {
  const part = Array.from({ length: RANDOM_PART }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('');
  return part + checkOf(part);
}

/** As somebody typed or scanned it: case, I, L and O are forgiven. Null when it cannot be a token. */
export function readToken(text: string): string | null {
  const token = text.toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  if (!/^[0-9A-HJKMNP-TV-Z]{10}$/.test(token)) return null;
  return checkOf(token.slice(0, RANDOM_PART)) === token[RANDOM_PART] ? token : null;
}

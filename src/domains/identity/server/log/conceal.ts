import { mask } from '#kernel/contract/masking.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

/** By the end of its name: `oldPassword`, `scanToken`, `leaseToken`. */
const SECRET_KEYS = /(password|smsCode|captcha|secret|token|ticket|credential|authorization)$/i;
const patterns = [
  { kind: 'idNo', pattern: /(?<!\d)\d{17}[\dXx](?![\dXx])/g },
  { kind: 'bankCard', pattern: /(?<!\d)\d{16,19}(?!\d)/g },
  { kind: 'mobile', pattern: /(?<!\d)1[3-9]\d{9}(?!\d)/g },
] as const;

/** Replaces full numbers of persons and cards by mask and keyed hash: equal values stay comparable, none is readable (I8). */
export function concealText(secrets: Secrets, text: string): string {
  return patterns.reduce(
    (done, { kind, pattern }) =>
      done.replace(pattern, (value) => `${mask(kind, value)}#${secrets.blindIndex(`identity.log.${kind}`, value).slice(0, 12)}`),
    text,
  );
}

/** The same through any JSON value; secrets disappear wherever they lie. */
export function conceal(secrets: Secrets, value: unknown): unknown {
  if (typeof value === 'string') return concealText(secrets, value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    const hidden = concealText(secrets, text);
    return hidden === text ? (typeof value === 'bigint' ? text : value) : hidden;
  }
  if (Array.isArray(value)) return value.map((item) => conceal(secrets, item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (SECRET_KEYS.test(key) ? [] : [[concealText(secrets, key), conceal(secrets, item)]])),
    );
  }
  return value;
}

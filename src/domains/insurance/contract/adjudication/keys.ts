import type { Day } from '#kernel/contract/time.ts';
import type { GroupSpec } from './spec.ts';

/** What accounts of claims count, with how many codes their keys carry behind the product. */
export const accumulatorKinds = { DED: 1, GRP: 1, PAY: 1, LAD: 1, CNT: 1, SUM: 1, ITEM: 2 } as const;
export type AccumulatorKind = keyof typeof accumulatorKinds;
const isKind = (text: string): text is AccumulatorKind => text in accumulatorKinds;

/**
 * `PAY:{product}:{benefit}`, `ITEM:{product}:{benefit}:{medicine}`: the product is part of every key, since codes repeat from product to
 * product. The account is the key at a period.
 */
export const accumulatorKey = (kind: AccumulatorKind, productId: string, ...codes: readonly string[]): string =>
  [kind, productId, ...codes].join(':');

/** A period: first day of a policy year, `LIFE`, or `CLAIM`, of which no account is kept: a rider goes on where its main one stopped. */
export const keyAt = (key: string, period: Day | 'LIFE' | 'CLAIM'): string => `${key}@${period}`;

/** The purse of a group: its own product's, unless it is shared with the main product. */
export const groupKey = ({ kind, groupCode, account }: GroupSpec, productId: string): string =>
  accumulatorKey(kind === 'DEDUCTIBLE' ? 'DED' : 'GRP', account?.productId ?? productId, account?.groupCode ?? groupCode);

export interface KeyParts {
  kind: AccumulatorKind;
  productId: string;
  codes: string[];
  period: string;
}

/** Null: no key of an account. */
export function partsOfKey(account: string): KeyParts | null {
  const [key = '', period = '', ...rest] = account.split('@');
  const [kind = '', productId = '', ...codes] = key.split(':');
  const isWhole = rest.length === 0 && /^(LIFE|CLAIM|\d{4}-\d{2}-\d{2})$/.test(period) && /^\d+$/.test(productId);
  if (!isWhole || !isKind(kind) || codes.length !== accumulatorKinds[kind] || codes.includes('')) return null;
  return { kind, productId, codes, period };
}

/** Keys as engine 1.0 wrote them carried no product; codes have no colon, so their number tells the two forms apart. */
export function withProduct(account: string, productId: string): string {
  const [kind = '', ...codes] = (account.split('@')[0] ?? '').split(':');
  return isKind(kind) && codes.length === accumulatorKinds[kind] ? account.replace(':', `:${productId}:`) : account;
}

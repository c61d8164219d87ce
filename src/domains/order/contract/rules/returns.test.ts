import { describe, expect, it } from 'vitest';
import { returnable, returnsFreight } from './returns.ts';

const line = { quantity: 5, allocatedQty: 3, shippedQty: 2, refundedQty: 0, refundedUnsent: 0 };

describe('what may be given back', () => {
  it('is what nobody sends, or what was sent, never more than is left', () => {
    expect(returnable('NOT_SHIPPED', line)).toBe(2);
    expect(returnable('QUALITY', line)).toBe(2);
    expect(returnable('QUALITY', { ...line, refundedQty: 1 })).toBe(1);
    expect(returnable('NOT_SHIPPED', { ...line, allocatedQty: 5 })).toBe(0);
    expect(returnable('RETURNED', { ...line, refundedQty: 2 })).toBe(0);
  });

  it('counts what was given back before it was sent apart from what came back', () => {
    const unsentGone = { ...line, refundedQty: 2, refundedUnsent: 2 };
    expect(returnable('NOT_SHIPPED', unsentGone)).toBe(0);
    expect(returnable('DAMAGED', unsentGone)).toBe(2);
    expect(returnable('DAMAGED', { ...unsentGone, refundedQty: 3 })).toBe(1);
  });

  it('brings the freight back for a fault of the seller, or before anything was sent', () => {
    expect(returnsFreight('NOT_SHIPPED', false)).toBe(true);
    expect(returnsFreight('NOT_SHIPPED', true)).toBe(false);
    expect(returnsFreight('DAMAGED', true)).toBe(true);
    expect(returnsFreight('RECALL', true)).toBe(false);
  });
});

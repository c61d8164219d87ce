import { describe, expect, it } from 'vitest';
import { storedFact, typedFact } from './yuanText.ts';

describe('money of a fact', () => {
  it.each([
    ['950', '95000'],
    ['950.5', '95050'],
    ['0.01', '1'],
    ['0', '0'],
    ['12.345', '1234.5'],
    ['1,2.5', '100,250'],
    ['1，2', '1，2'],
  ])('typed as %s is kept as %s, and comes back', (typed, stored) => {
    expect(storedFact('claim.amount', typed)).toBe(stored);
    expect(typedFact('claim.amount', stored)).toBe(typed);
  });

  it('is no other value', () => {
    expect(storedFact('line.qty', '2')).toBe('2');
    expect(storedFact('line.unitPrice', '5580')).toBe('558000');
    expect(storedFact('dx.icd10', 'C34，C50')).toEqual(['C34', 'C50']);
    expect(storedFact('line.qty', ' ')).toBeNull();
  });
});

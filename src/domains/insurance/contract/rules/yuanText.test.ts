import { describe, expect, it } from 'vitest';
import type { DraftGroup } from '../../../../kernel/contract/rules/groups.ts';
import { storedFact, storedGroup, typedGroup } from './yuanText.ts';

const group = (variable: string, value: string): DraftGroup => ({
  op: 'AND',
  items: [{ op: 'OR', items: [{ variable, operator: '>', value }] }],
});

describe('money of a condition', () => {
  it.each([
    ['950', '95000'],
    ['950.5', '95050'],
    ['0.01', '1'],
    ['0', '0'],
    ['12.345', '1234.5'],
    ['1,2.5', '100,250'],
    ['', ''],
    ['1，2', '1，2'],
  ])('typed as %s is kept as %s, and comes back', (typed, stored) => {
    expect(storedGroup(group('claim.amount', typed))).toEqual(group('claim.amount', stored));
    expect(typedGroup(group('claim.amount', stored))).toEqual(group('claim.amount', typed));
  });

  it('is no other value', () => {
    expect(storedGroup(group('line.qty', '2'))).toEqual(group('line.qty', '2'));
    expect(storedFact('line.unitPrice', '5580')).toBe('558000');
    expect(storedFact('dx.icd10', 'C34，C50')).toEqual(['C34', 'C50']);
    expect(storedFact('line.qty', ' ')).toBeNull();
  });
});

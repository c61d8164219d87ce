import { describe, expect, it } from 'vitest';
import { queryConfig } from '../../contract/query.ts';
import { configOf, questionOf, same, withoutWidths } from './question.ts';

const saved = queryConfig.parse({
  columns: [{ key: 'policyNo', width: 200 }, { key: 'premiumFen' }],
  filters: { op: 'AND', items: [{ variable: 'premiumFen', operator: 'range', value: '0,10000' }] },
  sort: [{ key: 'policyNo' }],
  asOf: '2026-11-27',
  limit: 100,
});

describe('a question', () => {
  it('that nobody touched is the same as the view it came from', () => expect(same(configOf(questionOf(saved)), saved)).toBe(true));

  it('that got a part and lost it is the same again', () => {
    const { limit, ...rest } = questionOf(saved);
    expect(same(configOf(rest), saved)).toBe(false);
    expect(same(configOf({ ...rest, limit: limit ?? 1 }), saved)).toBe(true);
  });

  it.each([
    ['its columns stand otherwise', { ...saved, columns: saved.columns.toReversed() }],
    ['a condition is another', { ...saved, filters: { op: 'OR' as const, items: saved.filters!.items } }],
    ['it is of another day', { ...saved, asOf: '2026-11-26' as const }],
    ['a column is wider', { ...saved, columns: [{ key: 'policyNo', width: 201 }, { key: 'premiumFen' }] }],
  ])('differs where %s', (_why, other) => expect(same(other, saved)).toBe(false));

  it('asks the same with other widths', () => {
    const wider = {
      ...saved,
      columns: [
        { key: 'policyNo', width: 300 },
        { key: 'premiumFen', width: 90 },
      ],
    };
    expect(same(withoutWidths(wider), withoutWidths(saved))).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autoScope, type AutoScope } from './dictionaries.ts';
import { resolveWinner, type Candidate, type TriggerFacts } from './winner.ts';

const one = (id: string, scopeType: AutoScope, scopeId: string | null = null, more: Partial<Candidate> = {}): Candidate => ({
  id,
  triggerType: 'GROUP_CREATED',
  scopeType,
  scopeId,
  validFrom: null,
  validTo: null,
  ...more,
});
const facts: TriggerFacts = {
  triggerType: 'GROUP_CREATED',
  on: '2026-11-20',
  channelId: '1',
  doctorId: '2',
  serviceItemId: '3',
  diseaseIds: ['4', '5'],
};
const all = [
  one('14', 'DEFAULT'),
  one('13', 'DISEASE', '4'),
  one('12', 'SERVICE_ITEM', '3'),
  one('11', 'DOCTOR', '2'),
  one('10', 'CHANNEL', '1'),
];

describe('the winner', () => {
  it.each<[string, readonly Candidate[], Partial<TriggerFacts>, string | null]>([
    ['channel before all', all, {}, '10'],
    ['doctor before item', all, { channelId: null }, '11'],
    ['item before disease', all, { channelId: '9', doctorId: null }, '12'],
    ['disease before default', all, { channelId: null, doctorId: '9', serviceItemId: null }, '13'],
    ['default where nothing fits', all, { channelId: null, doctorId: null, serviceItemId: null, diseaseIds: [] }, '14'],
    ['nothing for another act', all, { triggerType: 'SINGLE_OPEN' }, null],
    ['nothing of nothing', [], {}, null],
    ['on the first day', [one('1', 'DEFAULT', null, { validFrom: '2026-11-20' })], {}, '1'],
    ['on the last day', [one('1', 'DEFAULT', null, { validTo: '2026-11-20' })], {}, '1'],
    ['not before', [one('1', 'DEFAULT', null, { validFrom: '2026-11-21' })], {}, null],
    ['not after', [one('1', 'DEFAULT', null, { validTo: '2026-11-19' })], {}, null],
    ['the older of two diseases', [one('22', 'DISEASE', '4'), one('9', 'DISEASE', '5')], {}, '9'],
  ])('is %s', (_name, candidates, change, expected) => {
    expect(resolveWinner(candidates, { ...facts, ...change }).winner?.id ?? null).toBe(expected);
  });

  it('is the same in whatever order they stand, and the only one', () => {
    const some = fc.uniqueArray(
      fc.record({
        id: fc.nat(99).map(String),
        scopeType: fc.constantFrom(...autoScope.codes),
        scopeId: fc.constantFrom('1', '2', '3', '4'),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(some, (drawn) => {
        const candidates = drawn.map(({ id, scopeType, scopeId }) => one(id, scopeType, scopeType === 'DEFAULT' ? null : scopeId));
        const { winner, verdicts } = resolveWinner(candidates, facts);
        expect(resolveWinner(candidates.toReversed(), facts).winner?.id).toBe(winner?.id);
        expect([...verdicts.values()].filter((verdict) => verdict === 'WINS')).toHaveLength(winner ? 1 : 0);
      }),
    );
  });
});

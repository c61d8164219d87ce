import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARD_ROOM, cardOf, periodOf, type CardTag } from './card.ts';
import { tagStyles } from './dictionaries.ts';
import { forbiddenIn } from './words.ts';

const NOW = '2026-11-23T02:00:00.000Z';
const tag = (id: string, more: Partial<CardTag> = {}): CardTag => ({
  id,
  style: 'PILL',
  priority: 50,
  createdAt: '2026-11-01T00:00:00.000Z',
  startAt: null,
  endAt: null,
  enabled: true,
  ...more,
});
const ids = (tags: readonly CardTag[]) => tags.map(({ id }) => id);

describe('the card of a medicine (R9)', () => {
  it('has at most one corner, two pills and one text: by priority, then the newest', () => {
    const { shown, hidden } = cardOf(
      [
        tag('1', { style: 'CORNER', priority: 10 }),
        tag('2', { style: 'CORNER', priority: 90 }),
        tag('3'),
        tag('4', { createdAt: '2026-11-02T00:00:00.000Z' }),
        tag('5', { priority: 51 }),
        tag('6', { style: 'TEXT' }),
        tag('7', { style: 'TEXT' }),
      ],
      NOW,
    );
    expect(ids(shown)).toEqual(['2', '5', '4', '7']);
    expect(hidden.map(({ tag: { id }, reason }) => [id, reason])).toEqual([
      ['6', 'FULL'],
      ['3', 'FULL'],
      ['1', 'FULL'],
    ]);
  });

  it.each([
    ['2026-11-23T02:00:00.001Z', null, 'WAITING'],
    [NOW, null, 'LIVE'],
    [null, '2026-11-23T02:00:00.001Z', 'LIVE'],
    [null, NOW, 'ENDED'],
    [null, null, 'LIVE'],
  ] as const)('shows a tag from %s to %s as %s', (startAt, endAt, period) => {
    expect(periodOf({ startAt, endAt }, NOW)).toBe(period);
  });

  it('leaves out what is off and what is outside its time, and such tags take no room', () => {
    const { shown, hidden } = cardOf(
      [
        tag('1', { style: 'TEXT', priority: 99, enabled: false }),
        tag('2', { style: 'TEXT', priority: 98, endAt: NOW }),
        tag('3', { style: 'TEXT', priority: 1 }),
      ],
      NOW,
    );
    expect(ids(shown)).toEqual(['3']);
    expect(hidden.map(({ reason }) => reason)).toEqual(['OFF', 'ENDED']);
  });

  it('keeps these limits for any tags, shows what fits, loses none, and does not depend on their order', () => {
    const any = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 10_000 }).map(String),
        style: fc.constantFrom(...tagStyles.codes),
        priority: fc.integer({ min: 1, max: 99 }),
        createdAt: fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
        startAt: fc.constantFrom(null, '2026-11-20T00:00:00.000Z', '2026-11-24T00:00:00.000Z'),
        endAt: fc.constantFrom(null, '2026-11-22T00:00:00.000Z', '2026-11-26T00:00:00.000Z'),
        enabled: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    fc.assert(
      fc.property(any, (tags) => {
        const { shown, hidden } = cardOf(tags, NOW);
        expect(shown.length + hidden.length).toBe(tags.length);
        for (const style of tagStyles.codes) {
          const fits = tags.filter((one) => one.style === style && one.enabled && periodOf(one, NOW) === 'LIVE');
          const there = shown.filter((one) => one.style === style);
          expect(there).toHaveLength(Math.min(CARD_ROOM[style], fits.length));
          const least = Math.min(...there.map(({ priority }) => priority));
          for (const { tag: out, reason } of hidden)
            if (out.style === style && reason === 'FULL') expect(out.priority).toBeLessThanOrEqual(least);
        }
        expect(ids(cardOf(tags.toReversed(), NOW).shown)).toEqual(ids(shown));
      }),
    );
  });
});

it('finds words that advertising law forbids, also spread over spaces', () => {
  expect(forbiddenIn('全网 最 低价')).toEqual(['最']);
  expect(forbiddenIn('根治，无副作用')).toEqual(['根治', '无副作用']);
  expect(forbiddenIn('惠民保可用')).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { openingFault, plusYears, type OpeningDoctor, type OpeningItem } from './openingGuard.ts';
import { bandInOrder, changesAtOnce, deviationBp } from './price.ts';
import { quotaAt, slotFault, type WeekSlot } from './slots.ts';

const now = '2026-11-21T02:00:00.000Z';
/** The same numbers in every run. */
function numbers(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % (most + 1);
  };
}

describe('R5: a price change acts at once', () => {
  it.each([
    [9_900, 11_880, true],
    [9_900, 11_881, false],
    [9_900, 7_920, true],
    [9_900, 7_919, false],
    [1, 1, true],
    [1, 2, false],
    [0, 1, false],
    [500_000, 400_000, true],
    [500_000, 399_999, false],
  ])('%i → %i fen: %s', (oldFen, newFen, expected) => {
    expect(changesAtOnce({ oldFen, newFen, lastAutoAt: null, now })).toBe(expected);
  });

  it('holds exactly at a fifth of any price, up and down, and not one fen beyond', () => {
    const next = numbers(7);
    for (let round = 0; round < 5_000; round += 1) {
      const oldFen = next(500_000);
      const fifth = Math.floor(oldFen / 5);
      for (const side of [1, -1]) {
        expect(changesAtOnce({ oldFen, newFen: oldFen + side * fifth, lastAutoAt: null, now })).toBe(true);
        expect(changesAtOnce({ oldFen, newFen: oldFen + side * (fifth + 1), lastAutoAt: null, now })).toBe(false);
      }
    }
  });

  it('only once in 30 days, to the millisecond', () => {
    const change = { oldFen: 9_900, newFen: 10_000, now };
    expect(changesAtOnce({ ...change, lastAutoAt: '2026-10-22T02:00:00.001Z' })).toBe(false);
    expect(changesAtOnce({ ...change, lastAutoAt: '2026-10-22T02:00:00.000Z' })).toBe(true);
  });
});

it('bands stand in order; nothing for nothing only where the item allows it', () => {
  expect(bandInOrder({ minFen: 100, defaultFen: 100, maxFen: 500_000 }, false)).toBe(true);
  expect(bandInOrder({ minFen: 0, defaultFen: 100, maxFen: 100 }, false)).toBe(false);
  expect(bandInOrder({ minFen: 0, defaultFen: 0, maxFen: 0 }, true)).toBe(true);
  expect(bandInOrder({ minFen: 100, defaultFen: 99, maxFen: 100 }, false)).toBe(false);
  expect(bandInOrder({ minFen: 1, defaultFen: 1, maxFen: 500_001 }, false)).toBe(false);
  expect(deviationBp(11_880, 9_900)).toBe(2_000);
  expect(deviationBp(100, null)).toBeNull();
});

const doctor: OpeningDoctor = {
  practiceOk: true,
  titleCode: 'ATTENDING',
  practiceLevel: 'LICENSED',
  practiceCategory: 'CLINICAL',
  practiceSince: '2010-01-01',
  signatureExpired: false,
};
const item: OpeningItem = {
  careKind: 'CONSULT',
  titleMin: 'ATTENDING',
  categories: [],
  priceBands: { ATTENDING: { minFen: 3_000, defaultFen: 5_000, maxFen: 20_000 } },
  needSlot: false,
};
const faultOf = (
  change: { doctor?: Partial<OpeningDoctor>; item?: Partial<OpeningItem>; priceFen?: number; slots?: readonly WeekSlot[] } = {},
) =>
  openingFault({
    doctor: { ...doctor, ...change.doctor },
    item: { ...item, ...change.item },
    priceFen: change.priceFen ?? 5_000,
    slots: change.slots ?? [],
    today: '2026-11-21',
  })?.kind ?? null;

it.each([
  ['all in order', {}, null],
  ['not allowed to practise', { doctor: { practiceOk: false } }, 'NOT_QUALIFIED'],
  ['title below the lowest', { doctor: { titleCode: 'RESIDENT' as const } }, 'TITLE_TOO_LOW'],
  ['title without a band', { doctor: { titleCode: 'CHIEF' as const } }, 'TITLE_TOO_LOW'],
  ['another practice category', { item: { categories: ['TCM' as const] } }, 'CATEGORY'],
  [
    'treatment by an assistant doctor',
    { doctor: { practiceLevel: 'ASSISTANT' as const }, item: { careKind: 'DIAGNOSIS' as const } },
    'NOT_INDEPENDENT',
  ],
  [
    'treatment after 2 years and 364 days',
    { doctor: { practiceSince: '2023-11-22' }, item: { careKind: 'DIAGNOSIS' as const } },
    'NOT_INDEPENDENT',
  ],
  ['treatment on the day of 3 years', { doctor: { practiceSince: '2023-11-21' }, item: { careKind: 'DIAGNOSIS' as const } }, null],
  ['treatment without a signature', { doctor: { signatureExpired: true }, item: { careKind: 'DIAGNOSIS' as const } }, 'NOT_QUALIFIED'],
  ['advice without a signature', { doctor: { signatureExpired: true } }, null],
  ['the highest price', { priceFen: 20_000 }, null],
  ['one fen above', { priceFen: 20_001 }, 'PRICE_OUTSIDE'],
  ['one fen below', { priceFen: 2_999 }, 'PRICE_OUTSIDE'],
  ['no times for a call', { item: { needSlot: true } }, 'SLOTS_MISSING'],
])('guards of an opening: %s', (_name, change, expected) => {
  expect(faultOf(change)).toBe(expected);
});

it('years of practice end on the day after a leap day', () => {
  expect(plusYears('2024-02-29', 3)).toBe('2027-03-01');
});

describe('R4: bookable times', () => {
  const monday = { weekday: 1, from: '09:00', to: '11:00', quota: 3 };
  it.each([
    ['apart', [monday, { ...monday, from: '11:00', to: '12:00' }, { ...monday, weekday: 2 }], null],
    ['overlapping', [monday, { ...monday, from: '10:30', to: '11:30' }], 1],
    ['upside down', [{ ...monday, from: '11:00', to: '09:00' }], 0],
    ['off the half hour', [{ ...monday, from: '09:10' }], 0],
    ['before 08:30', [{ ...monday, from: '08:00' }], 0],
  ])('%s', (_name, slots, index) => {
    expect(slotFault(slots)?.index ?? null).toBe(index);
  });

  it('offers exactly the half hours of its spans, in Chinese time', () => {
    const slots = [monday];
    const offered: string[] = [];
    for (let ms = Date.parse('2026-11-22T16:00:00Z'); ms < Date.parse('2026-11-29T16:00:00Z'); ms += 15 * 60_000) {
      const at = new Date(ms).toISOString();
      if (quotaAt(slots, at) > 0) offered.push(at.slice(0, 16));
    }
    expect(offered).toEqual(['2026-11-23T01:00', '2026-11-23T01:30', '2026-11-23T02:00', '2026-11-23T02:30']);
    expect(quotaAt(slots, 'nonsense')).toBe(0);
  });
});

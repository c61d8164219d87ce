import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everybody, stranger } from '../delivery/audience.ts';
import { diffOfFloors, iconsFit, outOfTime, resolvePage, showsNothing } from './rules.ts';
import type { FloorContent, FloorItem } from './shape.ts';

const item = (more: Partial<FloorItem> = {}): FloorItem => ({
  title: '',
  link: '',
  objectNo: '',
  objectId: null,
  imageFileId: null,
  startAt: null,
  endAt: null,
  ...more,
});
const floor = (floorKey: string, more: Partial<FloorContent> = {}): FloorContent => ({
  floorKey,
  floorName: `楼层${floorKey}`,
  floorType: 'NOTICE',
  title: '',
  showTitle: true,
  moreLink: '',
  background: '',
  layout: 'ONE',
  dataMode: 'MANUAL',
  rule: null,
  items: [item({ title: '公告' })],
  startAt: null,
  endAt: null,
  audience: everybody,
  hideWhenEmpty: true,
  hidden: false,
  ...more,
});
const NOON = '2026-11-23T04:00:00.000Z';

describe('floors', () => {
  it.each([
    ['ICON_GRID', 0, true],
    ['ICON_GRID', 3, false],
    ['ICON_GRID', 4, true],
    ['ICON_GRID', 10, true],
    ['ICON_GRID', 11, false],
    ['NOTICE', 1, true],
  ] as const)('%s of %i items fits: %s', (type, count, fits) => expect(iconsFit(type, count)).toBe(fits));

  it('without items show nothing only where they are meant to stay', () => {
    const empty = floor('a', { items: [], hideWhenEmpty: false });
    expect(showsNothing(empty)).toBe(true);
    for (const more of [{ hideWhenEmpty: true }, { hidden: true }, { floorType: 'BANNER' as const }, { items: [item()] }])
      expect(showsNothing({ ...empty, ...more })).toBe(false);
  });

  it('are shown from the first instant of their time, no longer at its end', () => {
    expect(outOfTime({ startAt: NOON, endAt: null }, '2026-11-23T03:59:59.999Z')).toBe('NOT_YET');
    expect(outOfTime({ startAt: NOON, endAt: null }, NOON)).toBeNull();
    expect(outOfTime({ startAt: null, endAt: '2026-11-23T12:00:00+08:00' }, NOON)).toBe('OVER');
    expect(outOfTime({ startAt: null, endAt: NOON }, '2026-11-23T03:59:59.999Z')).toBeNull();
  });

  it('and their items say why they are left out', () => {
    const goods = {
      floorType: 'GOODS' as const,
      items: [item({ objectId: '1' }), item({ objectId: '2', startAt: '2026-12-01T00:00:00Z' })],
    };
    const reasons = (floors: FloorContent[], offered: string[]) =>
      resolvePage(floors, { at: NOON, isOffered: (_type, id) => offered.includes(id) }).map(({ reason, items }) => [
        reason,
        ...items.map((one) => one.reason),
      ]);
    expect(reasons([floor('a', goods)], ['1', '2'])).toEqual([[null, null, 'NOT_YET']]);
    expect(reasons([floor('a', goods)], [])).toEqual([['EMPTY', 'OFF', 'NOT_YET']]);
    expect(reasons([floor('a', { ...goods, hideWhenEmpty: false })], [])).toEqual([[null, 'OFF', 'NOT_YET']]);
    expect(reasons([floor('a', { hidden: true }), floor('b', { endAt: NOON })], [])).toEqual([
      ['HIDDEN', null],
      ['OVER', null],
    ]);
  });
});

describe('floors for some', () => {
  it('are left out for others, naming the condition; a rule chooses what they show', () => {
    const floors = [
      floor('a', { audience: { ...everybody, adcodes: ['320000'] } }),
      floor('b', { floorType: 'GOODS', dataMode: 'RULE', items: [] }),
    ];
    const look = (adcode: string) =>
      resolvePage(floors, {
        at: NOON,
        viewer: { ...stranger, adcode },
        isOffered: () => true,
        byRule: () => [item({ objectId: '7' })],
      }).map(({ reason, detail, items }) => [reason, detail, ...items.map(({ objectId }) => objectId)]);
    expect(look('320102')).toEqual([
      [null, null, null],
      [null, null, '7'],
    ]);
    expect(look('330106')[0]).toEqual(['AUDIENCE', '地区', null]);
  });
});

describe('the difference by floor', () => {
  it('names what was added, changed, moved and removed', () => {
    const before = [floor('a'), floor('b'), floor('c'), floor('d')];
    const after = [floor('b'), floor('a', { title: '新' }), floor('c'), floor('e')];
    expect(diffOfFloors(before, after).map(({ floorKey, change, fields }) => [floorKey, change, ...fields])).toEqual([
      ['b', 'MOVED'],
      ['a', 'CHANGED', '标题'],
      ['e', 'ADDED'],
      ['d', 'REMOVED'],
    ]);
  });

  it('is empty of equal pages, and adding is the opposite of removing', () => {
    const pages = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')).map((keys) => keys.map((key) => floor(key)));
    fc.assert(
      fc.property(pages, (page) => {
        expect(diffOfFloors(page, page)).toEqual([]);
      }),
    );
    const keysOf = (changes: ReturnType<typeof diffOfFloors>, kind: string) =>
      changes
        .filter(({ change }) => change === kind)
        .map(({ floorKey }) => floorKey)
        .toSorted();
    fc.assert(
      fc.property(pages, pages, (one, other) => {
        expect(keysOf(diffOfFloors(one, other), 'ADDED')).toEqual(keysOf(diffOfFloors(other, one), 'REMOVED'));
      }),
    );
  });
});

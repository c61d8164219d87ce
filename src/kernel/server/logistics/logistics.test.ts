import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, plusMs, type Instant } from '../../contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { makeLogistics } from './logistics.ts';
import type { Logistics, Trace, TraceState } from './port.ts';
import { inOrder, parcelState } from './traces.ts';

const NOW: Instant = '2026-11-21T02:00:00.000Z';
const trace = (afterHours: number, state: TraceState, description: string = state): Trace => ({
  occurredAt: plusMs(NOW, hours(afterHours)),
  state,
  description,
  city: '上海市',
});
const WAY = [trace(0, 'WAIT'), trace(2, 'TRANSIT'), trace(20, 'TRANSIT', '到达'), trace(40, 'DELIVERING'), trace(48, 'SIGNED')];

describe('traces', () => {
  it('are the same whatever the order they come in and however often each comes', () => {
    const mixed = fc.shuffledSubarray([...WAY, ...WAY, ...WAY], { minLength: 0 }).map((some) => [...some, ...WAY]);
    fc.assert(
      fc.property(mixed, (some) => {
        expect(inOrder(some)).toEqual(WAY);
        expect(parcelState(some)).toBe('SIGNED');
      }),
    );
  });

  it('keep what happened twice at two times, and two things of one moment', () => {
    expect(inOrder([trace(30, 'DELIVERING'), trace(2, 'DELIVERING')])).toHaveLength(2);
    expect(inOrder([trace(2, 'SIGNED'), trace(2, 'DELIVERING')]).map(({ state }) => state)).toEqual(['DELIVERING', 'SIGNED']);
  });

  it.each<[TraceState, TraceState[]]>([
    ['WAIT', []],
    ['DELIVERING', ['WAIT', 'PROBLEM', 'DELIVERING']],
    ['SIGNED', ['WAIT', 'SIGNED', 'TRANSIT']],
    ['RETURNED', ['SIGNED', 'RETURNED', 'TRANSIT']],
  ])('say %s of %j', (state, way) => expect(parcelState(way.map((one, at) => trace(at, one)))).toBe(state));
});

describe('the simulated carriers', () => {
  let database: TestDatabase;
  let now = NOW;
  let logistics: Logistics;
  beforeAll(async () => {
    database = await createTestDatabase();
    logistics = makeLogistics({ config: { simulated: ['LOGISTICS'] }, db: database.db, now: () => now });
  });
  beforeEach(() => {
    now = NOW;
  });
  afterAll(() => database.close());

  const parcel = (end: string, carrierCode = 'SF') => ({ carrierCode, waybillNo: `SF12345678${end}` });
  const states = async (end: string) => (await logistics.traces(parcel(end)))?.map(({ state }) => state);

  it('know nothing where none is connected, or of what nobody subscribed', async () => {
    const nobody = makeLogistics({ config: { simulated: [] }, db: database.db, now: () => now });
    await expect(nobody.subscribe(parcel('00'))).rejects.toThrow('KANGQIAO_SIMULATE');
    expect([nobody.available, await nobody.traces(parcel('00')), await logistics.traces(parcel('00'))]).toEqual([false, null, null]);
    expect([await logistics.subscribe(parcel('97')), await logistics.traces(parcel('97'))]).toEqual(['REFUSED', null]);
  });

  it('tell what happened by now, from the first subscription on', async () => {
    await logistics.subscribe(parcel('01'));
    now = plusMs(NOW, hours(21));
    await logistics.subscribe(parcel('01'));
    expect(await states('01')).toEqual(['WAIT', 'TRANSIT', 'TRANSIT']);
    expect(await logistics.traces(parcel('01', 'JD'))).toBeNull();
  });

  it('tell late, never, out of order, twice, of trouble and of the way back', async () => {
    for (const end of ['91', '92', '93', '94', '95', '96']) await logistics.subscribe(parcel(end));
    now = plusMs(NOW, hours(47));
    expect([await states('92'), await states('93')]).toEqual([[], []]);
    now = plusMs(NOW, days(5));
    expect([await states('93'), (await states('91'))?.at(-1)]).toEqual([[], 'PROBLEM']);
    expect(await states('94')).toEqual(['SIGNED', 'DELIVERING', 'TRANSIT', 'TRANSIT', 'WAIT']);
    expect(await states('95')).toHaveLength(10);
    const found = await Promise.all(
      ['91', '92', '94', '95', '96'].map(async (end) => parcelState((await logistics.traces(parcel(end))) ?? [])),
    );
    expect(found).toEqual(['PROBLEM', 'SIGNED', 'SIGNED', 'SIGNED', 'RETURNED']);
  });
});

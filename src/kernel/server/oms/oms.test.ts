import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, minutes, plusMs, type Instant } from '../../contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { makeOms } from './oms.ts';
import { unknownFulfilment, type Oms, type OmsOrder } from './port.ts';

const NOW: Instant = '2026-11-21T02:00:00.000Z';
let database: TestDatabase;
let now = NOW;
let oms: Oms;
beforeAll(async () => {
  database = await createTestDatabase();
  oms = makeOms({ config: { simulated: ['OMS'] }, db: database.db, now: () => now });
});
beforeEach(() => {
  now = NOW;
});
afterAll(() => database.close());

const order = (end: string, wish: Partial<OmsOrder> = {}): OmsOrder => ({
  fulfilmentNo: `FO202611210000${end}`,
  supplierCode: 'SUP01',
  way: 'SHIP',
  lines: [{ goodsCode: 'G001', quantity: 2 }],
  receiver: { name: '李文博', mobile: '13812345678', adcode: '310115', address: '张江路1号' },
  isColdChain: false,
  ...wish,
});
const endpoint = (supplierCode: string) => ({ supplierCode, url: 'https://oms.example.com/api', appKey: 'key', secret: 'secret' });
const stateOf = async (end: string) => (await oms.query(order(end).fulfilmentNo))?.state;

it('takes nothing and knows nothing where none is connected', async () => {
  const nobody = makeOms({ config: { simulated: [] }, db: database.db, now: () => now });
  expect(nobody.available).toBe(false);
  await expect(nobody.ping(endpoint('SUP01'))).rejects.toThrow('KANGQIAO_SIMULATE');
  await expect(nobody.push(order('00'))).rejects.toThrow('KANGQIAO_SIMULATE');
  await expect(nobody.cancel('FO1')).rejects.toThrow('OMS');
  expect(await nobody.query('FO1')).toEqual(unknownFulfilment);
});

describe('the simulated OMS', () => {
  it('answers for a supplier, refuses what he is known by, or is not reached', async () => {
    expect([await oms.ping(endpoint('SUP01')), await oms.ping(endpoint('SUP91')), await oms.ping(endpoint('SUP93'))]).toEqual([
      'ANSWERS',
      'REFUSED',
      'UNREACHABLE',
    ]);
  });

  it('takes an order once, and refuses its number for another one', async () => {
    expect(await oms.query(order('01').fulfilmentNo)).toBeNull();
    expect([await oms.push(order('01')), await oms.push(order('01'))]).toEqual(['TAKEN', 'TAKEN']);
    expect(await oms.push(order('01', { lines: [{ goodsCode: 'G001', quantity: 3 }] }))).toBe('REFUSED');
  });

  it('accepts, then ships', async () => {
    await oms.push(order('02'));
    expect(await stateOf('02')).toBe('WAITING');
    now = plusMs(NOW, minutes(30));
    expect(await oms.query(order('02').fulfilmentNo)).toMatchObject({
      state: 'ACCEPTED',
      supplierOrderNo: expect.stringMatching(/^SIM\d{12}$/),
      parcels: [],
    });
    now = plusMs(now, days(1));
    const [parcel, ...more] = (await oms.query(order('02').fulfilmentNo))!.parcels;
    expect(more).toEqual([]);
    expect(parcel).toMatchObject({ carrierCode: 'SF', shippedAt: now, lines: [{ goodsCode: 'G001', quantity: 2 }] });
  });

  it('lets what is fetched be fetched', async () => {
    await oms.push(order('03', { way: 'PICKUP', receiver: null }));
    now = plusMs(NOW, days(5));
    expect(await stateOf('03')).toBe('ACCEPTED');
  });

  it('rejects, accepts late, or never answers', async () => {
    for (const end of ['91', '92', '93']) expect(await oms.push(order(end))).toBe('TAKEN');
    now = plusMs(NOW, hours(2));
    expect([await stateOf('91'), await stateOf('92'), await stateOf('93')]).toEqual(['REJECTED', 'WAITING', 'WAITING']);
    now = plusMs(NOW, hours(3));
    expect(await stateOf('92')).toBe('ACCEPTED');
    now = plusMs(NOW, days(30));
    expect([await stateOf('92'), await stateOf('93')]).toEqual(['SHIPPED', 'WAITING']);
  });

  it('loses its answer and has the order; or never hears of it, and it may be pushed again', async () => {
    expect([await oms.push(order('94')), await stateOf('94')]).toEqual(['UNKNOWN', 'WAITING']);
    expect([await oms.push(order('95')), await stateOf('95')]).toEqual(['UNKNOWN', undefined]);
    expect([await oms.push(order('95')), await stateOf('95')]).toEqual(['TAKEN', 'WAITING']);
  });

  it('reports a parcel twice', async () => {
    await oms.push(order('96'));
    now = plusMs(NOW, days(2));
    const { parcels } = (await oms.query(order('96').fulfilmentNo))!;
    expect(parcels.map(({ waybillNo }) => waybillNo)).toEqual([parcels[0]!.waybillNo, parcels[0]!.waybillNo]);
  });

  it('cancels what has not left, unless it keeps it', async () => {
    for (const end of ['04', '05', '97']) await oms.push(order(end));
    expect([await oms.cancel(order('04').fulfilmentNo), await stateOf('04')]).toEqual(['TAKEN', 'CANCELLED']);
    expect([await oms.cancel(order('97').fulfilmentNo), await stateOf('97')]).toEqual(['REFUSED', 'WAITING']);
    now = plusMs(NOW, days(2));
    expect([await oms.cancel(order('05').fulfilmentNo), await stateOf('05')]).toEqual(['REFUSED', 'SHIPPED']);
    expect(await stateOf('04')).toBe('CANCELLED');
    expect(await oms.cancel('FO1')).toBe('REFUSED');
  });

  it('keeps nobody by name', async () => {
    const { rows } = await database.pool.query('select kernel_simulation::text as row from kernel_simulation');
    expect(JSON.stringify(rows)).not.toMatch(/李文博|13812345678|张江路/);
  });
});

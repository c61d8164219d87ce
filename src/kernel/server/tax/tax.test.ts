import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, minutes, plusMs, type Instant } from '../../contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { simulatedTax } from './simulator.ts';
import { unknownInvoice, unknownIssue, type InvoiceOrder, type PrintedInvoice, type TaxPlatform } from './port.ts';
import { makeTax } from './tax.ts';

const NOW: Instant = '2026-11-21T02:00:00.000Z';
const SELLER = '91310000MA1FL0XX1A';
let database: TestDatabase;
let now = NOW;
let tax: TaxPlatform;
beforeAll(async () => {
  database = await createTestDatabase();
  tax = makeTax({ config: { simulated: ['TAX'] }, db: database.db, now: () => now });
});
beforeEach(() => {
  now = NOW;
});
afterAll(() => database.close());

const order = (requestNo: string, totalFen: number, sellerTaxNo = SELLER): InvoiceOrder => ({
  requestNo,
  kind: 'SPECIAL',
  sellerTaxNo,
  buyerName: '中国人民财产保险股份有限公司',
  buyerTaxNo: '91100000710931483R',
  lines: [
    {
      goodsName: '*化学药品制剂*奥希替尼片',
      spec: '80mg*30片',
      unit: '盒',
      quantity: '1',
      unitPriceExTax: '150.00000000',
      taxCode: '1070304990000000000',
      taxRateBp: 1300,
      exTaxFen: totalFen - 100,
      taxFen: 100,
    },
  ],
  remark: '',
});
const red = (redNo: string, number: string, totalFen: number) =>
  tax.red({ redNo, sellerTaxNo: SELLER, number, exTaxFen: totalFen - 10, taxFen: 10, reasonCode: '02' });
const printed = (number: string, wish: Partial<PrintedInvoice> = {}): PrintedInvoice => ({
  code: null,
  number,
  issuedOn: '2026-11-21',
  exTaxFen: 14_900,
  taxFen: 100,
  sellerName: '上海康桥大药房',
  sellerTaxNo: SELLER,
  buyerName: '康桥健康',
  buyerTaxNo: null,
  checkCode: null,
  ...wish,
});

describe('a tax platform that is not connected', () => {
  it('issues nothing and knows nothing', async () => {
    const nobody = makeTax({ config: { simulated: [] }, db: database.db, now: () => now });
    expect(nobody.available).toBe(false);
    await expect(nobody.issue(order('N1', 15_000))).rejects.toThrow('KANGQIAO_SIMULATE');
    await expect(nobody.red({ redNo: 'R', sellerTaxNo: SELLER, number: '1', exTaxFen: 1, taxFen: 0, reasonCode: '01' })).rejects.toThrow(
      'TAX',
    );
    expect([await nobody.query(SELLER, 'N1'), await nobody.queryRed(SELLER, 'N1')]).toEqual([unknownIssue, unknownIssue]);
    expect([await nobody.verify(printed('1')), await nobody.quota(SELLER)]).toEqual([unknownInvoice, null]);
  });
});

describe('the simulated platform', () => {
  it('refuses, and says why', async () => {
    const refused = { state: 'FAILED', fault: 'REFUSED', number: null, failReason: expect.stringContaining('税号') };
    expect(await tax.issue(order('F1', 15_091))).toMatchObject(refused);
    expect(await tax.query(SELLER, 'F1')).toMatchObject(refused);
  });

  it('gives a number of twenty digits, the same however often it is asked', async () => {
    const first = await tax.issue(order('I1', 15_000));
    expect(first).toMatchObject({ state: 'ISSUED', number: expect.stringMatching(/^26\d{18}$/), issuedOn: '2026-11-21', fault: null });
    now = plusMs(NOW, days(30));
    expect(await tax.issue(order('I1', 15_000))).toEqual(first);
    expect(await tax.query(SELLER, 'I1')).toEqual(first);
    expect((await tax.issue(order('I2', 15_000))).number).not.toBe(first.number);
  });

  it('loses its answer, and has issued', async () => {
    expect(await tax.issue(order('L1', 15_094))).toEqual(unknownIssue);
    expect(await tax.query(SELLER, 'L1')).toMatchObject({ state: 'ISSUED', number: expect.stringMatching(/^\d{20}$/) });
  });

  it('never hears a request, which may be sent again as it is', async () => {
    expect(await tax.issue(order('H1', 15_095))).toEqual(unknownIssue);
    expect(await tax.query(SELLER, 'H1')).toBeNull();
    expect(await tax.issue(order('H1', 15_095))).toMatchObject({ state: 'ISSUED' });
  });

  it('answers late, or never', async () => {
    expect([await tax.issue(order('W1', 15_092)), await tax.issue(order('W2', 15_093))]).toEqual([unknownIssue, unknownIssue]);
    now = plusMs(NOW, minutes(10));
    expect(await tax.query(SELLER, 'W1')).toMatchObject({ state: 'ISSUED' });
    now = plusMs(NOW, days(30));
    expect(await tax.query(SELLER, 'W2')).toEqual(unknownIssue);
  });

  it('has a quota of the month, which refused requests do not touch', async () => {
    const small = simulatedTax({ db: database.db, now: () => now, quotaFen: 30_000 });
    const seller = '91310000MA1FL0XX2B';
    expect(await small.issue(order('Q1', 20_100, seller))).toMatchObject({ state: 'ISSUED' });
    expect(await small.quota(seller)).toEqual({ totalFen: 30_000, leftFen: 10_000 });
    expect(await small.issue(order('Q2', 10_101, seller))).toMatchObject({ state: 'FAILED', fault: 'QUOTA' });
    expect(await small.issue(order('Q3', 10_100, seller))).toMatchObject({ state: 'ISSUED' });
    expect((await small.quota(seller))?.leftFen).toBe(0);
    now = plusMs(NOW, days(20));
    expect((await small.quota(seller))?.leftFen).toBe(30_000);
  });

  it('takes back at most what was issued, in parts too', async () => {
    const { number } = await tax.issue(order('R0', 15_000));
    expect(await red('R1', '26311000000000000000', 100)).toMatchObject({ state: 'FAILED', failReason: expect.stringContaining('不存在') });
    expect(await red('R2', number!, 10_000)).toMatchObject({ state: 'ISSUED', number: expect.stringMatching(/^26\d{18}$/) });
    expect(await red('R3', number!, 5_001)).toMatchObject({ state: 'FAILED' });
    expect(await red('R4', number!, 5_000)).toMatchObject({ state: 'ISSUED' });
    expect(await red('R4', number!, 5_000)).toEqual(await tax.queryRed(SELLER, 'R4'));
    expect((await tax.verify(printed(number!))).invoice).toMatchObject({ redFen: 15_000, use: 'NONE' });
    expect(await tax.queryRed(SELLER, 'R9')).toBeNull();
  });

  it('asks the buyer who booked an invoice, for 72 hours', async () => {
    const agreeing = (await tax.issue(order('B1', 15_096))).number!;
    const silent = (await tax.issue(order('B2', 15_097))).number!;
    expect((await tax.verify(printed(agreeing))).invoice?.use).toBe('BOOKED');
    expect([await red('RB1', agreeing, 1_000), await red('RB2', silent, 1_000)]).toMatchObject([
      { state: 'WAIT_BUYER' },
      { state: 'WAIT_BUYER' },
    ]);
    now = plusMs(NOW, days(1));
    expect(await tax.queryRed(SELLER, 'RB1')).toMatchObject({ state: 'ISSUED' });
    expect(await tax.queryRed(SELLER, 'RB2')).toMatchObject({ state: 'WAIT_BUYER' });
    now = plusMs(NOW, hours(72));
    expect(await tax.queryRed(SELLER, 'RB2')).toMatchObject({ state: 'EXPIRED' });
  });

  it('verifies what somebody else issued: as printed, with another sum, taken back, booked, not at all', async () => {
    const number = (end: string) => `263120000000000000${end}`;
    const facts = async (end: string) => (await tax.verify(printed(number(end)))).invoice;
    expect(await facts('00')).toEqual({ ...printed(number('00')), redFen: 0, use: 'NONE' });
    expect((await facts('94'))?.exTaxFen).toBe(14_899);
    expect((await facts('95'))?.redFen).toBe(15_000);
    expect((await facts('96'))?.use).toBe('BOOKED');
    expect(await tax.verify(printed(number('91')))).toEqual({ state: 'NOT_FOUND', invoice: null });
    expect(await tax.verify(printed(number('93')))).toEqual(unknownInvoice);
  });

  it('has its own sums of what it issued itself', async () => {
    const { number } = await tax.issue(order('V1', 15_000));
    expect((await tax.verify(printed(number!, { exTaxFen: 1 }))).invoice?.exTaxFen).toBe(14_900);
  });

  it('keeps no names', async () => {
    const { rows } = await database.pool.query('select kernel_simulation::text as row from kernel_simulation');
    expect(JSON.stringify(rows)).not.toMatch(/人民财产|康桥|奥希替尼/);
  });
});

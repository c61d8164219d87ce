import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { cellText } from '#kernel/server/importing/normalise.ts';
import { openTable } from '#kernel/server/importing/openTable.ts';
import {
  abortDoctorPeriodClose,
  closeDoctorPeriod,
  exportTaxDeclaration,
  markTaxDeclared,
  queryDoctorPeriodList,
  queryTaxMonthList,
  startDoctorPeriodClose,
} from '../../contract/calls/taxes.ts';
import { key } from '../testing/fixtures.ts';
import { on, opinion, Paying, reason } from '../testing/payouts.ts';

let app: TestApp;
let pay: Paying;
beforeAll(async () => {
  app = await startTestApp({ now: '2026-09-21T02:00:00.000Z' });
  pay = await Paying.begin(app);
});
beforeEach(() => pay.people());
afterAll(async () => {
  await pay.sound();
  await app.close();
});

const monthOf = async (taxMonth: string) => (await app.ok(queryTaxMonthList, { taxMonth }, { as: pay.maker })).rows[0]!;
const bookOf = async (type: string): Promise<number> => {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(b.credit_total_fen - b.debit_total_fen), 0)::int as fen
      from ledger_account a
      join ledger_balance b on b.account_id = a.id
      where a.book = 'DOCTOR' and a.account_type = ${type}`.execute(app.db);
  return rows[0]!.fen;
};
const todos = async () => {
  const { rows } = await sql<{ title: string }>`
    select title from identity_notice where business_key like 'settlement:taxMonth:%' and state = 'PUBLISHED'`.execute(app.db);
  return rows.map(({ title }) => title);
};

describe('what was withheld in a month', () => {
  let batchId: string;
  let doctors: string[];

  it('is declared once the month is over and the bank has answered everything, by the sum that the records say', async () => {
    doctors = await pay.doctors([1_500_000, 100_000], '2026-10-02T02:00:00.000Z');
    ({ batchId } = await pay.sent(doctors));
    const rich = (await pay.itemsOf(batchId)).find(({ taxFen }) => taxFen > 0)!;
    const poor = (await pay.itemsOf(batchId)).find(({ taxFen }) => taxFen === 0)!;
    await pay.answered(batchId, [[rich.bizRef, rich.netFen, '成功', 'S1']]);
    const running = await monthOf('2026-10');
    expect(running).toMatchObject({ taxFen: 10_200, grossFen: 1_120_000, doctorCount: 2, openCount: 1, status: 'OPEN' });
    const input = { ...on(running), taxFen: 10_200 };
    expect(await app.refused(markTaxDeclared, input, key(pay.maker))).toMatchObject({ code: 'SCM19017' });
    expect(await app.refused(exportTaxDeclaration, { id: running.id, reason }, { as: pay.maker })).toMatchObject({ code: 'SCM19017' });
    await pay.later('2026-11-03T02:00:00.000Z');
    expect(await app.refused(markTaxDeclared, input, key(pay.maker))).toMatchObject({ code: 'SCM19018' });
    await pay.answered(batchId, [[poor.bizRef, poor.netFen, '成功', 'S2']]);
    expect(await app.refused(markTaxDeclared, { ...input, taxFen: 10_100 }, key(pay.maker))).toMatchObject({
      code: 'SCM19019',
      message: '扣税记录合计为102.00元，与申报税额不一致，请重新导出申报表核对',
    });
    const clerk = await app.staff({ permissions: ['settlement.tax.view'] });
    expect(await app.refused(exportTaxDeclaration, { id: running.id, reason }, { as: clerk })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(markTaxDeclared, input, key(clerk))).toMatchObject({ code: 'SCM90010' });
    const both = await Promise.all([1, 2].map(() => app.send(markTaxDeclared, input, key(pay.maker))));
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
    expect(await monthOf('2026-10')).toMatchObject({ status: 'DECLARED', declaredFen: 10_200, dueFen: 0 });
    expect(await bookOf('DR_TAX_PAYABLE')).toBe(0);
  });

  it('stands in a file with the numbers of papers in full, whose taking is logged', async () => {
    const month = await monthOf('2026-10');
    const { body } = await app.file(exportTaxDeclaration, { id: month.id, reason }, { as: pay.maker });
    const rows = await sheetRows(body);
    expect(rows[1]).toEqual(expect.arrayContaining(['姓名', '证件号码', '本期收入', '本期预扣税额']));
    const written = rows.slice(2).map((cells) => [cells[1], cells[3], cells[6], cells[13]]);
    expect(written).toContainEqual(['张医生', '11010519491231002X', '10500', '102']);
    expect(written.at(-1)).toEqual(['', '', '11200', '102']);
    const { rows: log } = await sql<{ n: number }>`
      select count(*)::int as n from identity_operation_log where call like '%exportTaxDeclaration' and kind = 'REVEAL'`.execute(app.db);
    expect(log[0]!.n).toBeGreaterThan(0);
  });

  it('is corrected where a payment comes back later: somebody is told, and the tax office pays back', async () => {
    const rich = (await pay.itemsOf(batchId)).find(({ taxFen }) => taxFen > 0)!;
    await pay.answered(batchId, [[rich.bizRef, rich.netFen, '退票', 'S3', '账户已销户']]);
    const month = await monthOf('2026-10');
    expect(month).toMatchObject({ status: 'CORRECTING', taxFen: 0, dueFen: -10_200, doctorCount: 1 });
    expect(await bookOf('DR_TAX_PAYABLE')).toBe(-10_200);
    expect(await todos()).toEqual(['2026-10个税需更正申报']);
    await app.ok(markTaxDeclared, { ...on(month), taxFen: 0 }, key(pay.maker));
    expect(await monthOf('2026-10')).toMatchObject({ status: 'DECLARED', declaredFen: 0, declareCount: 2 });
    expect([await bookOf('DR_TAX_PAYABLE'), await todos()]).toEqual([0, []]);
  });
});

describe('a month of the doctors’ book', () => {
  const periodOf = async (period: string) => (await app.ok(queryDoctorPeriodList, { period }, { as: pay.maker })).rows[0]!;

  it('is closed in two steps by two people, once every company has declared it', async () => {
    const start = (period: string) => app.refused(startDoctorPeriodClose, { period }, key(pay.maker));
    expect(await start('2026-11')).toMatchObject({ code: 'SCM19017' });
    expect(await start('2026-10')).toMatchObject({ code: 'SCM18031' });
    await app.ok(startDoctorPeriodClose, { period: '2026-09' }, key(pay.maker));
    const begun = await periodOf('2026-09');
    expect(await start('2026-09')).toMatchObject({ fields: [{ message: expect.stringContaining('不能再次开始结账') }] });
    expect(await app.refused(closeDoctorPeriod, { ...on(begun), opinion }, key(pay.maker))).toMatchObject({ code: 'SCM19001' });
    await app.ok(abortDoctorPeriodClose, { ...on(begun), opinion }, { as: pay.maker });
    await app.ok(startDoctorPeriodClose, { period: '2026-09' }, key(pay.maker));
    const again = await periodOf('2026-09');
    await app.ok(closeDoctorPeriod, { ...on(again), opinion }, key(pay.checker));
    expect(await periodOf('2026-09')).toMatchObject({ status: 'CLOSED', closedByName: pay.checker.displayName });
    const { rows } = await sql<{ status: string }>`
      select status from ledger_period where book = 'DOCTOR' and period = '2026-09'`.execute(app.db);
    expect(rows[0]!.status).toBe('CLOSED');
    expect(await start('2026-09')).toMatchObject({ fields: [{ message: expect.stringContaining('不能再次开始结账') }] });
  });

  it('waits for what must be declared, also where that came up after the first step', async () => {
    await app.ok(startDoctorPeriodClose, { period: '2026-10' }, key(pay.maker));
    const begun = await periodOf('2026-10');
    const poor = (await pay.itemsOf((await batches())[0]!)).find(({ status }) => status === 'SUCCESS')!;
    await pay.answered((await batches())[0]!, [[poor.bizRef, poor.netFen, '退票', 'S4', '账户已销户']]);
    expect(await app.refused(closeDoctorPeriod, { ...on(begun), opinion }, key(pay.checker))).toMatchObject({
      code: 'SCM19057',
      message: '康桥测试主体税款所属期2026-10的个税尚未申报，不能结账',
    });
    const month = await monthOf('2026-10');
    await app.ok(markTaxDeclared, { ...on(month), taxFen: 0 }, key(pay.maker));
    await app.ok(closeDoctorPeriod, { ...on(begun), opinion }, key(pay.checker));
    expect(await periodOf('2026-10')).toMatchObject({ status: 'CLOSED' });
  });
});

async function batches(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from settlement_payout_batch order by id`.execute(app.db);
  return rows.map(({ id }) => id);
}

async function sheetRows(body: Buffer): Promise<string[][]> {
  const table = await openTable(body, 'xlsx');
  const rows: string[][] = [];
  for await (const { cells } of table.rows('劳务报酬所得')) rows.push(cells.map(cellText));
  return rows;
}

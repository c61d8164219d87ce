import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes, plusMs, type Instant } from '../../contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { Staff } from '../context.ts';
import { checkTable } from '../importing/checkTable.ts';
import { commitRows } from '../importing/commitRows.ts';
import type { PlannedRow } from '../importing/importer.ts';
import { readTable } from '../importing/readTable.ts';
import { makeBank } from './bank.ts';
import { gb18030 } from './gb18030.ts';
import { unknownPayout, type BankBatch } from './port.ts';
import { bankResultImporter } from './resultImporter.ts';
import type { SentPayout } from './results.ts';

const NOW: Instant = '2026-11-02T02:00:00.000Z';
let app: TestApp;
let now = NOW;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const bank = (simulated: readonly 'BANK'[] = ['BANK']) => makeBank({ config: { simulated }, db: app.db, now: () => now });
const batch = (batchNo: string, ...sums: readonly number[]): BankBatch => ({
  batchNo,
  payouts: sums.map((amountFen, at) => ({
    ref: `${batchNo}-${at + 1}`,
    amountFen,
    payeeName: '李文博',
    account: '6222020200112233',
    bankName: '招商银行',
    bankPlace: '',
    cnapsCode: '',
    purpose: '医生服务费',
  })),
});

describe('a bank that is not connected', () => {
  it('takes nothing and knows nothing', async () => {
    const nobody = bank([]);
    expect([nobody.available, nobody.simulator]).toEqual([false, null]);
    await expect(nobody.submit(batch('N1', 100))).rejects.toThrow('KANGQIAO_SIMULATE');
    expect(await nobody.query('N1-1')).toEqual(unknownPayout);
  });
});

describe('the simulated bank', () => {
  const endings = batch('E1', 10_000, 10_091, 10_092, 10_093, 10_094, 10_096);
  const states = async () => Promise.all(endings.payouts.map(async ({ ref }) => (await bank().query(ref))?.state));

  it('answers late, never, with another sum, and takes a payment back', async () => {
    now = NOW;
    expect(await bank().query('E1-1')).toBeNull();
    expect(await bank().submit(endings)).toBe('TAKEN');
    expect(await states()).toEqual(['SUCCESS', 'FAILED', 'UNKNOWN', 'UNKNOWN', 'SUCCESS', 'SUCCESS']);
    expect(await bank().query('E1-2')).toMatchObject({ amountFen: 10_091, serial: null, failReason: '模拟银行：账号户名不符' });
    expect(await bank().query('E1-5')).toMatchObject({ amountFen: 10_093, day: '2026-11-02', serial: expect.stringMatching(/^\d{10}$/) });
    now = plusMs(NOW, minutes(10));
    expect((await states())[2]).toBe('SUCCESS');
    now = plusMs(NOW, days(400));
    expect(await states()).toEqual(['SUCCESS', 'FAILED', 'SUCCESS', 'UNKNOWN', 'SUCCESS', 'RETURNED']);
  });

  it('pays a batch once however often it is sent, and refuses its number for other sums', async () => {
    now = NOW;
    expect(await bank().submit(batch('T1', 300))).toBe('TAKEN');
    const first = await bank().query('T1-1');
    now = plusMs(NOW, days(3));
    expect(await bank().submit(batch('T1', 300))).toBe('TAKEN');
    expect(await bank().query('T1-1')).toEqual(first);
    expect(await bank().submit(batch('T1', 301))).toBe('REFUSED');
  });

  it('keeps neither names nor accounts', async () => {
    const { rows } = await app.database.pool.query("select kernel_simulation::text as row from kernel_simulation where port = 'BANK'");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/6222020200112233|李文博/);
  });
});

describe('the importer of a result', () => {
  const staff = {} as Staff;
  const payouts = new Map<string, SentPayout>();
  const importer = bankResultImporter({
    code: 'test.bankResult',
    label: '回盘文件',
    permission: 'test.payout.result',
    find: (_db, refs) => Promise.resolve([...payouts.values()].filter(({ ref }) => refs.includes(ref))),
    async settle(results) {
      expect(results).not.toEqual([]);
      for (const { payout, lines } of results) {
        const paid = lines.find(({ result }) => result === 'SUCCESS') ?? payout;
        const last = lines.at(-1)!.result;
        const state = last === 'PROCESSING' ? payout.state : last;
        payouts.set(payout.ref, { ...payout, state, serial: paid.serial, day: paid.day, version: payout.version + 1 });
      }
      return new Set(results.map(({ payout }) => payout.id));
    },
  });

  const sendOut = async (sent: BankBatch) => {
    await bank().submit(sent);
    for (const { ref, amountFen } of sent.payouts)
      payouts.set(ref, {
        id: ref,
        ref,
        amountFen,
        version: 1,
        batchId: sent.batchNo,
        batchNo: sent.batchNo,
        sentOn: '2026-11-02',
        state: 'SENT',
        serial: null,
        day: null,
      });
  };
  /** Imports what is right of a file. */
  async function take(batchId: string, bytes: Buffer) {
    const params = { batchId };
    const reading = { db: app.db, staff, params, now };
    const table = await checkTable(importer, await readTable(bytes, 'csv', importer), reading);
    const rows = table.rows.flatMap(({ plan }) => (plan && plan.action !== 'SAME' ? [plan] : []));
    await app.kernel.transactions.run('test', (writing) =>
      commitRows({
        importer,
        params,
        batchNo: 'IM1',
        async *rows(): AsyncIterable<readonly PlannedRow[]> {
          yield rows;
        },
        onProgress: () => Promise.resolve(),
        writing: { ...writing, staff, now },
      }),
    );
    return { counts: table.counts, told: table.faults.map(({ rowNo, message }) => `${rowNo}: ${message}`) };
  }
  const states = (batchNo: string) => [...payouts.values()].filter((one) => one.batchNo === batchNo).map(({ state }) => state);

  it('takes each line once, from files that overlap, come again and hold lines twice', async () => {
    now = NOW;
    await sendOut(batch('R1', 10_000, 10_091, 10_092, 10_093, 10_094, 10_095, 10_096));
    const first = await bank().simulator!.resultFile('R1');
    const told = ['4: 金额与付款不一致：付款100.94元，银行100.93元；请向银行核实后再处理', '6: 与第5行完全相同，只登记一次'];
    expect(await take('R1', first)).toMatchObject({ counts: { total: 6, changed: 4, same: 0, error: 2 }, told });
    expect(states('R1')).toEqual(['SUCCESS', 'FAILED', 'SENT', 'SENT', 'SENT', 'SUCCESS', 'SUCCESS']);
    expect(await take('R1', first)).toMatchObject({ counts: { changed: 0, same: 4, error: 2 }, told });
    now = plusMs(NOW, days(1));
    const later = await bank().simulator!.resultFile('R1');
    expect(await take('R1', later)).toMatchObject({ counts: { total: 8, changed: 2, same: 4, error: 2 } });
    expect(states('R1')).toEqual(['SUCCESS', 'FAILED', 'SUCCESS', 'SENT', 'SENT', 'SUCCESS', 'RETURNED']);
    expect(await take('R1', first)).toMatchObject({ counts: { changed: 0, same: 4 } });
  });

  it('writes a payment that succeeded and came back in one file as one', async () => {
    now = NOW;
    await sendOut(batch('R6', 10_096));
    now = plusMs(NOW, days(1));
    const file = await bank().simulator!.resultFile('R6');
    expect(await take('R6', file)).toMatchObject({ counts: { total: 2, changed: 2 }, told: [] });
    expect(payouts.get('R6-1')).toMatchObject({ state: 'RETURNED', serial: expect.stringMatching(/^\d{10}$/), version: 2 });
    expect(await take('R6', file)).toMatchObject({ counts: { changed: 0, same: 2 }, told: [] });
  });

  it('tells the rows of a payment of which something else became known after they were looked at', async () => {
    now = NOW;
    await sendOut(batch('R7', 10_000, 20_000));
    const [one, other] = [payouts.get('R7-1')!, payouts.get('R7-2')!];
    const reading = { db: app.db, staff, params: { batchId: 'R7' }, now };
    const table = await checkTable(importer, await readTable(await bank().simulator!.resultFile('R7'), 'csv', importer), reading);
    const rows = table.rows.flatMap(({ plan }) => (plan ? [plan] : []));
    const write = (written: readonly PlannedRow[]) =>
      app.kernel.transactions.run('test', (writing) => importer.commitChunk(written, 'IM1', { ...writing, ...reading }));
    const marked = async (payout: SentPayout, state: SentPayout['state'], of: readonly PlannedRow[], told: string) => {
      payouts.set(payout.ref, { ...payout, state, version: 2 });
      await expect(write(of)).rejects.toMatchObject({ code: 'SCM02037', message: expect.stringContaining(told) });
      expect(payouts.get(payout.ref)).toMatchObject({ state, version: 2 });
    };
    await marked(one, 'FAILED', rows.slice(0, 1), '第2行');
    await marked(one, 'SUCCESS', rows.slice(0, 1), '第2行');
    await marked(other, 'FAILED', rows.slice(1), '第3行');
  });

  it('tells a result of another batch and rows that nobody sent', async () => {
    now = NOW;
    await sendOut(batch('R2', 20_000));
    await sendOut(batch('R3', 20_000));
    expect((await take('R3', await bank().simulator!.resultFile('R2'))).told).toEqual(['2: 业务参考号R2-1属于批次R2，请在该批次中导入']);
    expect(states('R2')).toEqual(['SENT']);
    await bank().submit(batch('R4', 20_000));
    expect((await take('R3', await bank().simulator!.resultFile('R4'))).told).toEqual([
      '2: 业务参考号R4-1不是本系统已出盘的付款；请向银行核实后再处理',
    ]);
  });

  it('reads the heads of 招商银行, titles above them, columns that are not ours and a line of totals', async () => {
    now = NOW;
    await sendOut(batch('R5', 20_000, 30_000));
    const lines = [
      '批量代付结果,,,,,,,',
      '账号,户名,金额,注释,状态,流水号,日期,原因',
      '6222020200112233,李文博,200.00,R5-1,成功,0102,20261102,',
      '6222020200112233,李文博,"300.00",R5-2,失败,,,账号户名不符',
      '合计,2,500.00',
    ];
    expect(await take('R5', gb18030(lines.join('\r\n')))).toMatchObject({ counts: { total: 2, changed: 2, error: 0 }, told: [] });
    expect(states('R5')).toEqual(['SUCCESS', 'FAILED']);
  });
});

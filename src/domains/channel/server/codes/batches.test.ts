import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  addQrBatch,
  cancelQrBatch,
  downloadQrBatch,
  downloadQrCode,
  queryCommonQrCodeList,
  queryQrBatchList,
  voidQrBatch,
} from '../../contract/calls/codes.ts';
import { allowHost, fresh, makeChannel, makeCode, operator, scan, style, target } from '../testing/fixtures.ts';
import { unzip } from '../testing/unzip.ts';
import { uploadTable } from '#testing/uploads.ts';
import { decodePicture } from './draw.ts';

let app: TestApp;
let as: TestStaff;
let channelId: string;
beforeAll(async () => {
  app = await startTestApp();
  await allowHost(app);
  as = await operator(app);
  channelId = (await makeChannel(app)).id;
});
afterAll(() => app.close());

const small = { ...style, sizePx: 300 };
const batchOf = async (id: string) => (await app.ok(queryQrBatchList, { id }, { as })).rows[0]!;
const inputOf = (quantity: number) => ({ name: '门店', mode: 'COUNT' as const, quantity, template: { channelId, target, style: small } });
const tokenOf = (name: string) => /^\d{4}_门店-\d{4}_([0-9A-Z]{10})\.png$/.exec(name)?.[1] ?? name;
const filesOf = async (id: string) => unzip((await app.file(downloadQrBatch, { id }, { as })).body);

describe('a batch of codes', () => {
  it('is counted in time, zipped whole, each picture its own address, and void as a whole after a second look', async () => {
    for (const quantity of [0, 5_001])
      expect(await app.refused(addQrBatch, inputOf(quantity), { as, idempotencyKey: `quantity-${quantity}` })).toMatchObject({
        code: 'SCM08035',
        message: '数量须为1至5000',
      });
    // The same request at once and again is one batch.
    const asked = await Promise.all([1, 2, 3].map(() => app.send(addQrBatch, inputOf(130), { as, idempotencyKey: 'one-batch' })));
    const { id } = await app.ok(addQrBatch, inputOf(130), { as, idempotencyKey: 'one-batch' });
    expect(
      asked.filter(({ envelope }) => envelope.code === '0000000').every(({ envelope }) => (envelope.data as { id: string }).id === id),
    ).toBe(true);
    expect((await app.ok(queryQrBatchList, { channelId }, { as })).rows).toMatchObject([{ id, state: 'QUEUED', done: 0, quantity: 130 }]);

    // Whoever looks while the last step waits sees how far it is.
    const running = await app.kernel.transactions.run('test', async ({ tx }) => {
      await sql`lock table files_file_object in share row exclusive mode`.execute(tx);
      const work = app.runDue();
      await expect
        .poll(async () => batchOf(id), { timeout: 60_000 })
        .toMatchObject({ state: 'RUNNING', done: 120, failed: 0, hasZip: false });
      return { work };
    });
    await running.work;
    const ready = await batchOf(id);
    expect(ready).toMatchObject({ state: 'READY', done: 130, failed: 0, hasZip: true });

    const entries = await filesOf(id);
    expect(entries).toHaveLength(131);
    const pictures = entries.slice(0, -1);
    for (const { name, bytes } of pictures) expect(await decodePicture(bytes)).toBe(`https://q.kangqiao.test/q/${tokenOf(name)}`);
    expect(new Set(pictures.map(({ name }) => tokenOf(name))).size).toBe(130);
    const table = entries.at(-1)!;
    expect([table.name, table.bytes.subarray(0, 3), table.bytes.toString().split('\r\n').length]).toEqual([
      'index.csv',
      Buffer.from([0xef, 0xbb, 0xbf]),
      131,
    ]);

    const tokens = [0, 1, 2, 129].map((index) => tokenOf(pictures[index]!.name));
    for (const token of tokens.slice(0, 2)) expect((await scan(app, token)).status).toBe(302);
    const refusal = { code: 'SCM90020', message: '本批次已有2个码被扫过，确认作废？', data: { scanned: 2 } };
    expect(await app.refused(voidQrBatch, { id, version: ready.version, opinion: '印刷有误' }, { as })).toMatchObject(refusal);
    expect(await app.refused(voidQrBatch, { id, version: ready.version, opinion: '印刷有误', confirmScanned: 1 }, { as })).toMatchObject(
      refusal,
    );
    await app.ok(voidQrBatch, { id, version: ready.version, opinion: '印刷有误', confirmScanned: 2 }, { as });
    expect((await app.ok(queryCommonQrCodeList, { batchNo: ready.batchNo, state: ['VOID'] }, { as })).total).toBe(130);
    for (const token of tokens) {
      const { status, body } = await scan(app, token);
      expect([status, body.toString().includes('二维码已停用')]).toEqual([410, true]);
    }
  });

  it('is void as far as it was made when it is cancelled', async () => {
    const { id } = await app.ok(addQrBatch, inputOf(2), { as, idempotencyKey: 'cancel-this' });
    expect(await app.ok(cancelQrBatch, { id }, { as })).toMatchObject({ state: 'CANCELLED' });
    await app.runDue();
    expect(await batchOf(id)).toMatchObject({ state: 'CANCELLED', done: 0 });
    expect(await app.refused(cancelQrBatch, { id }, { as })).toMatchObject({ code: 'SCM90031' });
  });

  it('follows a list with names, channels and parameters, and names the rows that are wrong', async () => {
    const shop = await makeChannel(app);
    const input = async (rows: string[][]) => ({
      name: '药店',
      mode: 'LIST' as const,
      fileId: await uploadTable(app, as, [['名称', '渠道编号', '参数'], ...rows]),
      template: { channelId, target, style: small },
    });
    const wrong = await app.refused(
      addQrBatch,
      await input([
        ['一号店', shop.no, ''],
        ['二号店', 'QD000', ''],
        ['', '', '1x=2'],
      ]),
      { as, idempotencyKey: 'wrong-list' },
    );
    expect(wrong).toMatchObject({ code: 'SCM90020' });
    expect(wrong.fields?.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['第3行：渠道不存在或已停用', expect.stringMatching(/^第4行：/)]),
    );
    const { id, quantity } = await app.ok(
      addQrBatch,
      await input([
        ['一号店', shop.no, 'store=12;floor=1'],
        ['二号店', '', ''],
      ]),
      { as, idempotencyKey: 'right-list' },
    );
    expect(quantity).toBe(2);
    await app.runDue();
    const { batchNo } = await batchOf(id);
    const { rows } = await app.ok(queryCommonQrCodeList, { batchNo }, { as });
    expect(rows).toMatchObject([
      { name: '二号店', channelId, params: {} },
      { name: '一号店', channelId: shop.id, params: { store: '12', floor: '1' } },
    ]);
    expect((await scan(app, rows[1]!.token)).headers['location']).toMatch(/floor=1&store=12&st=/);
  });
});

describe('chosen codes', () => {
  it('are fetched as pictures, vectors or pages of twelve', async () => {
    const codeIds: string[] = [];
    for (let index = 0; index < 13; index += 1) codeIds.push((await makeCode(app, { channelId, name: fresh('台卡'), style: small })).id);
    const pdf = (await app.file(downloadQrCode, { codeIds, format: 'PDF' }, { as })).body.toString('latin1');
    expect([pdf.slice(0, 8), /\/Count (\d+)/.exec(pdf)?.[1]]).toEqual(['%PDF-1.4', '2']);
    expect(unzip((await app.file(downloadQrCode, { codeIds, format: 'PNG' }, { as })).body)).toHaveLength(13);
    expect((await app.file(downloadQrCode, { codeIds: [codeIds[0]!], format: 'SVG' }, { as })).body.toString()).toMatch(/^<svg /);
  });
});

describe('an archive', () => {
  it('is zipped again when its archive is no longer kept', async () => {
    const { id } = await app.ok(addQrBatch, inputOf(3), { as, idempotencyKey: 'expires-later' });
    await app.runDue();
    const before = (await filesOf(id)).map(({ name }) => name);
    app.clock.set(plusMs(app.clock.now(), days(8)));
    // A week later nobody is signed in any more.
    as = await operator(app);
    expect(await app.refused(downloadQrBatch, { id }, { as })).toMatchObject({ code: 'SCM08036', message: '压缩包已过期，正在重新生成' });
    await app.runDue();
    expect((await filesOf(id)).map(({ name }) => name)).toEqual(before);
  });
});

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes } from '#kernel/contract/time.ts';
import { sessionEnded } from '#events/identity.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  completeUpload,
  deleteFile,
  getFileUrl,
  getPresignedUrl,
  queryFileObjectList,
  queryFileState,
  renewPartUrl,
} from '../contract/calls/objects.ts';
import { ZipStream } from '#kernel/server/documents/zipStream.ts';
import { attach } from './objects/links.ts';
import { own } from './database.ts';
import { expireFiles } from './objects/sweeps.ts';
import { sweepStorage, verifyBytes } from './objects/verifyBytes.ts';
import { definePurpose } from './purposes.ts';
import { registerOwner } from './owners.ts';
import { runJob } from './testKit.ts';
import { jpegOf, pdfOf, pngHeader, xlsxBomb } from './demo/samples.ts';

let app: TestApp;
let uploader: TestStaff;
let other: TestStaff;
const MB = 1024 * 1024;

beforeAll(async () => {
  app = await startTestApp();
  definePurpose({
    code: 'TEST_PAPERS',
    label: '测试材料',
    types: ['jpg', 'png', 'pdf', 'xlsx', 'csv'],
    maxSize: 30 * MB,
    count: 3,
    sensitive: true,
    uploadPermissions: ['corpus.scene.edit'],
  });
  registerOwner('test.case', {
    canRead: async ({ staff }, id) => id === '1' && staff.permissions.has('corpus.scene.view'),
    canReadOriginal: async ({ staff }) => staff.permissions.has('corpus.scene.edit'),
  });
  uploader = await app.staff({ permissions: ['corpus.scene.edit', 'corpus.scene.view'], displayName: '张三丰' });
  other = await app.staff({ permissions: ['corpus.scene.view'], displayName: '李四光' });
});
afterAll(() => app.close());

const put = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  app.inject({ method: 'PUT', url, payload: body, headers: { 'content-type': 'application/octet-stream', ...headers } });

async function presigned(name: string, bytes: Buffer, more: object = {}, as = uploader) {
  const [upload] = await app.ok(
    getPresignedUrl,
    { purpose: 'TEST_PAPERS', files: [{ fileName: name, size: bytes.length, contentType: 'application/octet-stream', ...more }] },
    { as },
  );
  return upload!;
}

async function uploaded(name: string, bytes: Buffer, as = uploader) {
  const upload = await presigned(name, bytes, {}, as);
  expect((await put(upload.url, bytes)).status).toBe(200);
  return app.ok(completeUpload, { fileId: upload.fileId }, { as });
}

describe('an upload', () => {
  it('is refused before any byte when the purpose does not take it', async () => {
    const ask = (files: object[], as: TestStaff = uploader) => app.refused(getPresignedUrl, { purpose: 'TEST_PAPERS', files }, { as });
    const file = { fileName: 'a.jpg', size: 10, contentType: 'image/jpeg' };
    expect(await ask([{ ...file, fileName: 'a.svg' }])).toMatchObject({
      code: 'SCM02001',
      message: '不支持的文件类型：.svg，可上传jpg、png、pdf、xlsx、csv',
    });
    expect(await ask([{ ...file, fileName: 'a.xls' }])).toMatchObject({
      code: 'SCM02006',
      message: '不支持旧版.xls文件，请另存为.xlsx后上传',
    });
    expect(await ask([{ ...file, size: 31 * MB }])).toMatchObject({ code: 'SCM02002', message: '文件大小超过30MB，请压缩后上传' });
    expect(await ask([file, file, file, file])).toMatchObject({ code: 'SCM02003' });
    expect(await ask([file], other)).toMatchObject({ code: 'SCM90010' });
  });

  it('is refused for what the system alone writes, whoever asks', async () => {
    const keeper = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
    for (const purpose of ['EXPORT', 'ANCHOR'])
      expect(
        await app.refused(
          getPresignedUrl,
          { purpose, files: [{ fileName: 'a.json', size: 2, contentType: 'application/json' }] },
          { as: keeper },
        ),
      ).toMatchObject({ code: 'SCM90020', fields: [{ path: 'purpose', message: expect.stringContaining('由系统生成，不能上传') }] });
  });

  it('becomes READY with the right digest; completing it again answers the same', async () => {
    const bytes = await jpegOf(400, 300, '病历');
    const first = await uploaded('../住院<病历>.JPEG', bytes);
    expect(first).toMatchObject({
      state: 'READY',
      fileName: '住院病历.JPEG',
      detectedType: 'jpg',
      size: bytes.length,
      width: 400,
      height: 300,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(await app.ok(completeUpload, { fileId: first.fileId }, { as: uploader })).toEqual(first);
    const foreign = await app.refused(completeUpload, { fileId: first.fileId }, { as: other });
    expect(foreign).toEqual(await app.refused(completeUpload, { fileId: '999999' }, { as: other }));
    expect(foreign.code).toBe('SCM90040');
  });

  it('is stored once when the same bytes come again', async () => {
    const bytes = await jpegOf(80, 80, '再来');
    const first = await uploaded('一.jpg', bytes);
    const second = await presigned('二.jpg', bytes, { sha256: first.sha256 });
    expect(second).toMatchObject({ instant: true, url: '' });
    expect(await app.ok(completeUpload, { fileId: second.fileId }, { as: uploader })).toMatchObject({ state: 'READY', fileName: '二.jpg' });
  });

  it('refuses a PUT that is late, longer, shorter, forged or after the end, and keeps nothing of it', async () => {
    const bytes = pdfOf(['一页']);
    const upload = await presigned('单.pdf', bytes);
    const refusedPut = async (url: string, body: Buffer) => {
      const answer = await put(url, body);
      return { status: answer.status, code: (JSON.parse(answer.body.toString()) as { code: string }).code };
    };
    expect(await refusedPut(upload.url, Buffer.concat([bytes, bytes]))).toEqual({ status: 400, code: 'SCM02013' });
    expect(await refusedPut(upload.url, bytes.subarray(1))).toEqual({ status: 400, code: 'SCM02013' });
    expect(
      await refusedPut(
        upload.url.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
        bytes,
      ),
    ).toEqual({ status: 400, code: 'SCM02012' });
    expect(await app.refused(completeUpload, { fileId: upload.fileId }, { as: uploader })).toMatchObject({ code: 'SCM02004' });
    expect((await put(upload.url, bytes)).status).toBe(200);
    expect(await app.ok(completeUpload, { fileId: upload.fileId }, { as: uploader })).toMatchObject({ state: 'READY', pageCount: 1 });
    expect(await refusedPut(upload.url, bytes)).toEqual({ status: 400, code: 'SCM02012' });
    const late = await presigned('迟.pdf', bytes);
    await app.advance(minutes(30));
    expect(await refusedPut(late.url, bytes)).toEqual({ status: 400, code: 'SCM02012' });
    uploader = await app.staff({ permissions: ['corpus.scene.edit', 'corpus.scene.view'], displayName: '张三丰' });
    other = await app.staff({ permissions: ['corpus.scene.view'], displayName: '李四光' });
  });

  it('of 22 MiB goes in five parts and goes on after a break without sending what is there', async () => {
    const bytes = Buffer.concat([pdfOf(['大文件']), Buffer.alloc(22 * MB)]).subarray(0, 22 * MB);
    const upload = await presigned('大.pdf', bytes);
    expect(upload.parts.map(({ size }) => size)).toEqual([5_242_880, 5_242_880, 5_242_880, 5_242_880, 2_097_152]);
    const slice = (no: number) => bytes.subarray((no - 1) * 5 * MB, no * 5 * MB);
    for (const no of [1, 2]) expect((await put(upload.parts[no - 1]!.url, slice(no))).status).toBe(200);
    expect(await app.refused(completeUpload, { fileId: upload.fileId }, { as: uploader })).toMatchObject({ code: 'SCM02004' });
    const renewed = await app.ok(renewPartUrl, { fileId: upload.fileId, partNos: [1, 2, 3, 4, 5] }, { as: uploader });
    expect(renewed.present).toEqual([1, 2]);
    for (const part of renewed.parts) expect((await put(part.url, slice(part.no))).status).toBe(200);
    expect(await app.ok(completeUpload, { fileId: upload.fileId }, { as: uploader })).toMatchObject({ state: 'CHECKING' });
    await app.runDue();
    expect(await app.ok(queryFileState, { fileIds: [upload.fileId] }, { as: uploader })).toMatchObject([{ state: 'READY' }]);
  });

  it('ends with a session that was ended against its user, and not with one that he left himself', async () => {
    const bytes = Buffer.from('a,b\n7,8\n');
    const end = async (as: TestStaff, reason: string) => {
      const upload = await presigned('断.csv', bytes, {}, as);
      await app.kernel.transactions.run('test', ({ publish }) =>
        publish(sessionEnded, as.userId, { userId: as.userId, sessionId: as.sessionId, reason }),
      );
      await app.runDue();
      return (await put(upload.url, bytes)).status;
    };
    const somebody = () => app.staff({ permissions: ['corpus.scene.edit'] });
    expect([await end(await somebody(), 'LOGOUT'), await end(await somebody(), 'KICKED')]).toEqual([200, 400]);
  });

  const zipOf = async (name: string) => {
    const zip = new ZipStream();
    const parts: Buffer[] = [];
    for await (const part of zip.entry(name, [Buffer.from('<x/>')])) parts.push(part);
    return Buffer.concat([...parts, zip.end()]);
  };
  const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 7)]);
  it.each([
    ['an executable with another name', '照片.jpg', async () => exe, 'SCM02006', '改名'],
    [
      'a drawing with scripts as a picture',
      '图.png',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
      'SCM02006',
      '扩展名',
    ],
    [
      'an old workbook',
      '表.xlsx',
      async () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'SCM02006',
      '另存为.xlsx',
    ],
    [
      'an encrypted workbook',
      '表.xlsx',
      async () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'SCM02007',
      '加密',
    ],
    [
      'a picture with a page behind it',
      '头像.jpg',
      async () => Buffer.concat([await jpegOf(40, 40), Buffer.from('<HTML><script>x()</script>')]),
      'SCM02007',
      '夹带网页代码',
    ],
    ['a workbook that unpacks upwards', '表.xlsx', () => zipOf('xl/../../../etc/cron.d/x'), 'SCM02007', '文件名不安全'],
    ['a workbook that unpacks to a drive', '表.xlsx', () => zipOf('C:\\x.xml'), 'SCM02007', '文件名不安全'],
    ['a workbook that unpacks to the root', '表.xlsx', () => zipOf('/x.xml'), 'SCM02007', '文件名不安全'],
    ['a zip bomb', '表.xlsx', () => xlsxBomb(), 'SCM02007', '压缩比异常'],
    ['a picture of 60 megapixels', '巨.png', async () => pngHeader(10_000, 6_000), 'SCM02007', '图片尺寸过大'],
    ['a broken picture', '坏.png', async () => pngHeader(10, 10), 'SCM02007', '损坏'],
    ['an encrypted PDF', '密.pdf', async () => pdfOf(['x'], '/Encrypt 9 0 R'), 'SCM02007', '加密'],
    [
      'a PDF with a script',
      '脚本.pdf',
      async () => pdfOf(['x'], '', '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'),
      'SCM02007',
      '脚本',
    ],
  ])('refuses %s and removes its bytes', async (_name, name, make, code, part) => {
    const bytes = await make();
    const upload = await presigned(name, bytes);
    await put(upload.url, bytes);
    const refusal = await app.refused(completeUpload, { fileId: upload.fileId }, { as: uploader });
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(part) });
    expect(await app.refused(completeUpload, { fileId: upload.fileId }, { as: uploader })).toEqual(refusal);
    const row = await app.db
      .withTables<{ filesFileObject: { id: string; storageKey: string; state: string } }>()
      .selectFrom('filesFileObject')
      .selectAll()
      .where('id', '=', upload.fileId)
      .executeTakeFirstOrThrow();
    expect(row.state).toBe('REJECTED');
    expect(await app.kernel.storage.stat(row.storageKey)).toBeNull();
    expect(await app.kernel.storage.stat(`parts/${upload.fileId}/1`)).toBeNull();
  });
});

describe('reading', () => {
  const open = async (url: string, as: TestStaff | null) =>
    app.inject({ method: 'GET', url, headers: as ? { authorization: as.token } : {} });
  const link = (fileId: string, ownerId = '1') =>
    app.kernel.transactions.run('test', ({ tx }) =>
      attach(
        tx,
        { fileIds: [fileId], purpose: 'TEST_PAPERS', ownerType: 'test.case', ownerId, field: 'papers', userId: uploader.userId },
        app.clock.now(),
      ),
    );

  it('is refused like a missing file without rights on the owner; without the right to the original only a marked picture is given', async () => {
    const file = await uploaded('病历.jpg', await jpegOf(600, 800, '诊断'));
    const ask = { fileId: file.fileId, use: 'DOWNLOAD' as const };
    expect(await app.refused(getFileUrl, ask, { as: other })).toMatchObject({ code: 'SCM90040' });
    await link(file.fileId);
    const stranger = await app.staff({ permissions: [] });
    expect(await app.refused(getFileUrl, ask, { as: stranger })).toMatchObject({ code: 'SCM90040' });
    const marked = await app.ok(getFileUrl, ask, { as: other });
    expect(marked).toMatchObject({ original: false, watermark: true, contentType: 'image/jpeg' });
    const shown = await open(marked.url, other);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
    });
    const original = await open((await app.ok(getFileUrl, ask, { as: uploader })).url, uploader);
    expect(createHash('sha256').update(original.body).digest('hex')).toBe(file.sha256);
    expect(createHash('sha256').update(shown.body).digest('hex')).not.toBe(file.sha256);
    const { rows: log } = await sql<{ n: number }>`
      select count(*)::int as n
        from identity_operation_log
        where call = ${getFileUrl.path} and user_id = ${other.userId} and result_code = '0000000'`.execute(app.db);
    expect(log).toEqual([{ n: 1 }]);
  });

  it('by address works for a minute and in the same session alone; ranges are served', async () => {
    const file = await uploaded('表.csv', Buffer.from('姓名,金额\n张三,1\n'));
    await link(file.fileId);
    const { url } = await app.ok(getFileUrl, { fileId: file.fileId, use: 'DOWNLOAD' }, { as: uploader });
    expect((await open(url, null)).status).toBe(400);
    expect((await open(url, other)).status).toBe(400);
    const part = await app.inject({ method: 'GET', url, headers: { authorization: uploader.token, range: 'bytes=0-5' } });
    expect({ status: part.status, text: part.body.toString(), range: part.headers['content-range'] }).toEqual({
      status: 206,
      text: '姓名',
      range: `bytes 0-5/${file.size}`,
    });
    const preview = await app.ok(getFileUrl, { fileId: file.fileId, use: 'PREVIEW' }, { as: uploader });
    expect(JSON.parse((await open(preview.url, uploader)).body.toString())).toEqual({
      rows: [
        ['姓名', '金额'],
        ['张三', '1'],
      ],
    });
    await app.advance(60_000);
    expect((await open(url, uploader)).status).toBe(400);
  });

  it('shows PDF pages as pictures', async () => {
    const file = await uploaded('合同.pdf', pdfOf(['one', 'two']));
    const { url, pageCount } = await app.ok(getFileUrl, { fileId: file.fileId, use: 'PREVIEW', page: 2 }, { as: uploader });
    expect(pageCount).toBe(2);
    expect((await open(url, uploader)).body.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('attaches only READY files of the same uploader and purpose; a refused attachment writes nothing', async () => {
    const theirs = await uploaded('他.csv', Buffer.from('a,b\n'));
    await expect(
      app.kernel.transactions.run('test', ({ tx }) =>
        attach(
          tx,
          { fileIds: [theirs.fileId], purpose: 'TEST_PAPERS', ownerType: 'test.case', ownerId: '2', field: 'f', userId: other.userId },
          app.clock.now(),
        ),
      ),
    ).rejects.toMatchObject({ code: 'SCM02014' });
    const pending = await presigned('待.csv', Buffer.from('a,b\n'));
    await expect(link(pending.fileId)).rejects.toMatchObject({ code: 'SCM02014' });
  });
});

describe('deleting', () => {
  it('is refused for files in use and in retention, and without the header Authorization; unused ones vanish after a day', async () => {
    const admin = await app.staff({ permissions: ['files.object.manage', 'files.object.remove'] });
    const used = await uploaded('用.csv', Buffer.from('a,b\n1,2\n'));
    await app.kernel.transactions.run('test', ({ tx }) =>
      attach(
        tx,
        { fileIds: [used.fileId], purpose: 'TEST_PAPERS', ownerType: 'test.case', ownerId: '1', field: 'f', userId: uploader.userId },
        app.clock.now(),
      ),
    );
    expect(await app.refused(deleteFile, { fileId: used.fileId }, { as: admin })).toMatchObject({ code: 'SCM02010' });
    const free = await uploaded('闲.csv', Buffer.from('a,b\n3,4\n'));
    expect(await app.refused(deleteFile, { fileId: free.fileId }, { as: null })).toMatchObject({ code: 'SCM90002' });
    expect(await app.refused(deleteFile, { fileId: free.fileId }, { as: other })).toMatchObject({ code: 'SCM90040' });
    await app.ok(deleteFile, { fileId: free.fileId }, { as: uploader });
    const kept = await app.kernel.transactions.run('test', ({ tx }) =>
      app.kernel.ports.files.store(
        tx,
        {
          purpose: 'ANCHOR',
          name: '锚点.json',
          body: Buffer.from('{}'),
          contentType: 'application/json',
          createdBy: null,
          retainUntil: '2036-01-01T00:00:00.000Z',
        },
        app.clock.now(),
      ),
    );
    expect(await app.refused(deleteFile, { fileId: kept.fileId }, { as: admin })).toMatchObject({ code: 'SCM02011' });
    const unused = await uploaded('忘.csv', Buffer.from('a,b\n5,6\n'));
    app.clock.advance(hours(26));
    await runJob(app, expireFiles);
    const again = await app.staff({ permissions: ['files.object.manage'] });
    const { rows } = await app.ok(queryFileObjectList, { pageSize: 100 }, { as: again });
    const states = new Map(rows.map((row) => [row.fileId, row.state]));
    expect([used, free, unused].map(({ fileId }) => states.get(fileId))).toEqual(['READY', 'DELETED', 'EXPIRED']);
    expect(rows.find(({ fileId }) => fileId === used.fileId)?.links).toEqual([{ ownerType: 'test.case', ownerId: '1', field: 'f' }]);
  });
});

describe('the sweeps', () => {
  it('tell of changed and of lost bytes, and of bytes without a row', async () => {
    uploader = await app.staff({ permissions: ['corpus.scene.edit', 'corpus.scene.view'] });
    const [changed, lost] = [await uploaded('变.csv', Buffer.from('a\n1\n')), await uploaded('失.csv', Buffer.from('a\n2\n'))];
    const keyOf = async (fileId: string) =>
      (await own(app.db).selectFrom('filesFileObject').select('storageKey').where('id', '=', fileId).executeTakeFirstOrThrow()).storageKey;
    await app.kernel.storage.put(await keyOf(changed.fileId), Buffer.from('a\n9\n'), { contentType: 'text/csv' });
    await app.kernel.storage.remove(await keyOf(lost.fileId));
    await app.kernel.storage.put('LICENCE/2026/11/nobody', Buffer.from('x'), { contentType: 'text/plain' });
    await runJob(app, verifyBytes);
    await runJob(app, sweepStorage);
    const { rows } = await sql<{
      body: string;
    }>`select body from identity_notice where title like '文件完整性%' or title like '存储与%' order by id`.execute(app.db);
    expect(rows.map(({ body }) => body).join('|')).toMatch(
      new RegExp(`${changed.fileNo}内容已变化.*${lost.fileNo}缺少内容|${lost.fileNo}缺少内容.*${changed.fileNo}内容已变化`),
    );
    expect(rows.at(-1)?.body).toContain('LICENCE/2026/11/nobody没有对应的文件记录');
  });
});

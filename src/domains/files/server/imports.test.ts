import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours } from '#kernel/contract/time.ts';
import { readXlsx, writeXlsx } from 'hucre';
import { sql } from 'kysely';
import { modules } from '../../../modules.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  addImportTask,
  cancelImportTask,
  commitImportTask,
  downloadImportResult,
  downloadImportTemplate,
  queryImportResult,
  queryImportRowList,
  queryImportTaskList,
  revalidateImportTask,
  undoImportTask,
} from '../contract/calls/imports.ts';
import { completeUpload, getPresignedUrl } from '../contract/calls/objects.ts';
import { json, own } from './database.ts';
import { importHooks, noteBook, noteModule, notePermissions, notes } from './testKit.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, noteModule] });
});
beforeEach(async () => {
  as = await app.staff({ permissions: [notePermissions['note.import'].code] });
});
afterEach(async () => {
  importHooks.failAtRow = 0;
  await own(app.db).deleteFrom('filesExportColumnPreset').execute();
});
afterAll(() => app.close());

type Rows = readonly (readonly [string, string])[];

async function upload(bytes: Buffer, fileName = '便签.xlsx'): Promise<string> {
  const [file] = await app.ok(
    getPresignedUrl,
    { purpose: 'IMPORT', files: [{ fileName, size: bytes.length, contentType: 'application/octet-stream' }] },
    { as },
  );
  await app.inject({ method: 'PUT', url: file!.url, payload: bytes, headers: { 'content-type': 'application/octet-stream' } });
  return (await app.ok(completeUpload, { fileId: file!.fileId }, { as })).fileId;
}
const add = async (rows: Rows, more: object = {}) =>
  app.send(addImportTask, { importerCode: 'probe.note', fileId: await upload(await noteBook(rows)), ...more }, { as });
const task = (importTaskId: string) => app.ok(queryImportResult, { importTaskId }, { as });
let commits = 0;
const commit = (importTaskId: string, version: number) =>
  app.send(commitImportTask, { importTaskId, version }, { as, idempotencyKey: `commit-${(commits += 1)}-key` });
/** Uploads and checks a table. */
async function checked(rows: Rows, more: object = {}) {
  const { envelope } = await add(rows, more);
  expect(envelope.code).toBe('0000000');
  const { importTaskId } = envelope.data as { importTaskId: string };
  await app.runDue();
  return task(importTaskId);
}
async function committed(rows: Rows) {
  const { importTaskId, version } = await checked(rows);
  expect((await commit(importTaskId, version)).envelope.code).toBe('0000000');
  await app.runDue();
  return task(importTaskId);
}
const undo = (importTaskId: string, version: number) => app.send(undoImportTask, { importTaskId, version, opinion: '导错文件' }, { as });

/** Sessions that outlive a week of test time. */
const stayLoggedIn = () =>
  sql`update identity_session set idle_expires_at = '2027-01-01Z', absolute_expires_at = '2027-01-01Z', rotated_at = '2026-12-31Z'`.execute(
    app.db,
  );

const two: Rows = [
  ['甲', '1.00'],
  ['乙', '2.50'],
];

describe('an import', () => {
  it('is refused at once when the file is not the filled-in template or the right is missing', async () => {
    const refused = async (bytes: Buffer, name?: string) =>
      app.refused(addImportTask, { importerCode: 'probe.note', fileId: await upload(bytes, name) }, { as });
    expect(await refused(await noteBook(two, '0'))).toMatchObject({ code: 'SCM02031' });
    expect(await refused(Buffer.from('名称\n甲\n'), 'a.csv')).toMatchObject({ code: 'SCM02032', message: '缺少列：金额' });
    expect(await refused((await app.file(downloadImportTemplate, { importerCode: 'probe.note' }, { as })).body)).toMatchObject({
      code: 'SCM02033',
    });
    expect(await refused(await noteBook(Array.from({ length: 12_001 }, (_, index) => [`n${index}`, ''] as const)))).toMatchObject({
      code: 'SCM02034',
      message: '单次最多导入12000行，请拆分文件',
    });
    const merged = await writeXlsx({
      sheets: [
        {
          name: '数据',
          rows: [
            ['名称', '金额'],
            ['甲', 1],
            ['', 2],
          ],
          merges: [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }],
        },
        { name: '填写说明', rows: [['模板编码', 'probe.note', '模板版本', '1']] },
      ],
    });
    expect(await refused(Buffer.from(merged))).toMatchObject({ code: 'SCM02035', message: expect.stringContaining('A2:A3') });
    const fileId = await upload(await noteBook(two));
    const other = await app.staff({ permissions: [] });
    expect(await app.refused(addImportTask, { importerCode: 'probe.note', fileId }, { as: other })).toMatchObject({ code: 'SCM90010' });
    const colleague = await app.staff({ permissions: [notePermissions['note.import'].code] });
    expect(await app.refused(addImportTask, { importerCode: 'probe.note', fileId }, { as: colleague })).toMatchObject({ code: 'SCM02014' });
  });

  it('of 4,001 rows with faults in the third and the last is not committed, says where, and marks the same cells in the result', async () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => [`n${index}`, index === 2 ? 'x' : '1.00'] as [string, string]);
    rows.push(['n5', '1']);
    const result = await checked(rows);
    expect(result).toMatchObject({
      state: 'INVALID',
      totalRows: 4_001,
      errorRows: 2,
      errorCells: 2,
      okRows: 3_999,
      mayCommit: false,
      hasResult: true,
    });
    const errors = await app.ok(queryImportRowList, { importTaskId: result.importTaskId, action: ['ERROR'] }, { as });
    expect(errors).toMatchObject({
      total: 2,
      rows: [
        {
          rowNo: 4,
          raw: { name: 'n2', amount: 'x' },
          errors: [{ columnLetter: 'B', columnLabel: '金额', value: 'x', message: '金额须为金额，最多两位小数' }],
        },
        { rowNo: 4_002, errors: [{ columnLetter: 'A', message: '名称重复' }] },
      ],
    });
    const { body } = await app.file(downloadImportResult, { importTaskId: result.importTaskId }, { as });
    const sheet = (await readXlsx(body, { readStyles: true })).sheets[0]!;
    expect([sheet.rows[3]![2], sheet.rows[4_001]![2]]).toEqual(['金额须为金额，最多两位小数', '名称重复']);
    expect((await commit(result.importTaskId, result.version)).envelope.code).toBe('SCM90031');
    expect(await notes(app.db)).toEqual([]);
  });

  it('is previewed, committed once, refused as the same content, and undone as a whole', async () => {
    const first = await committed(two);
    expect(first).toMatchObject({ state: 'DONE', newRows: 2, mayUndo: true });
    expect(await notes(app.db)).toMatchObject([
      { name: '乙', amount: '250', batchNo: first.batchNo },
      { name: '甲', amount: '100' },
    ]);
    expect(
      (
        await add([
          ['　甲', '￥1'],
          ['乙', '2.5'],
        ])
      ).envelope,
    ).toMatchObject({ code: 'SCM02038', message: expect.stringContaining(first.batchNo) });
    const second = await checked([
      ['甲', '1.00'],
      ['乙', '3.00'],
      ['丙', ''],
    ]);
    expect(second).toMatchObject({ state: 'READY', newRows: 1, changedRows: 1, sameRows: 1 });
    const preview = await app.ok(queryImportRowList, { importTaskId: second.importTaskId, action: ['CHANGE'] }, { as });
    expect(preview.rows).toMatchObject([{ before: { amount: '2.50' }, after: { amount: '3.00' } }]);
    await commit(second.importTaskId, second.version);
    await app.runDue();
    expect((await notes(app.db)).map(({ name, amount }) => [name, amount])).toEqual([
      ['丙', null],
      ['乙', '300'],
      ['甲', '100'],
    ]);
    const done = await task(second.importTaskId);
    expect((await undo(second.importTaskId, done.version)).envelope.code).toBe('0000000');
    expect((await notes(app.db)).map(({ name, amount }) => [name, amount])).toEqual([
      ['乙', '250'],
      ['甲', '100'],
    ]);
    expect((await undo(first.importTaskId, first.version)).envelope).toMatchObject({
      code: 'SCM02042',
      message: '第3行已被后续业务使用（乙），不能整批撤销',
    });
    expect(
      await checked([
        ['甲', '1.00'],
        ['乙', '3.00'],
        ['丙', ''],
      ]),
    ).toMatchObject({ state: 'READY' });
  });

  it('of 10,000 rows that breaks off in the middle leaves none, and is committed afterwards', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [`m${index}`, '1.00'] as [string, string]);
    const ready = await checked(rows);
    importHooks.failAtRow = 6_000;
    await commit(ready.importTaskId, ready.version);
    await app.runDue();
    const failed = await task(ready.importTaskId);
    expect(failed).toMatchObject({ state: 'FAILED', errorCode: 'SCM99999' });
    expect(await notes(app.db)).toEqual([]);
    importHooks.failAtRow = 0;
    await app.ok(revalidateImportTask, { importTaskId: ready.importTaskId, version: failed.version }, { as });
    await app.runDue();
    const again = await task(ready.importTaskId);
    await commit(ready.importTaskId, again.version);
    await app.runDue();
    expect(await task(ready.importTaskId)).toMatchObject({ state: 'DONE', newRows: 10_000 });
    expect((await notes(app.db)).filter(({ batchNo }) => batchNo === ready.batchNo)).toHaveLength(10_000);
  });

  it('whose process died in the commit waits for the operator again', async () => {
    const ready = await checked([['死', '1']]);
    await own(app.db)
      .updateTable('filesImportTask')
      .set({ state: 'COMMITTING', attempt: 1, heartbeatAt: app.clock.now() })
      .where('id', '=', ready.importTaskId)
      .execute();
    await app.advance(61_000);
    const back = await task(ready.importTaskId);
    expect(back).toMatchObject({ state: 'READY', errorMessage: '提交过程中断，未写入任何数据，请重新提交' });
    await commit(ready.importTaskId, back.version);
    await app.runDue();
    expect(await task(ready.importTaskId)).toMatchObject({ state: 'DONE' });
  });

  it('whose target changed since the check writes nothing', async () => {
    await committed([['变', '1']]);
    const ready = await checked([
      ['变', '2'],
      ['新', '3'],
    ]);
    await own(app.db)
      .updateTable('filesExportColumnPreset')
      .set({ columns: json({ amount: '900', version: 9, batchNo: '' }) })
      .where('name', '=', '变')
      .execute();
    await commit(ready.importTaskId, ready.version);
    await app.runDue();
    expect(await task(ready.importTaskId)).toMatchObject({
      state: 'FAILED',
      errorCode: 'SCM02037',
      errorMessage: '第2行数据在校验后已变化，请重新校验',
    });
    expect((await notes(app.db)).map(({ name }) => name)).toEqual(['变']);
  });

  it('of the same content committed twice at once is done once', async () => {
    const [one, other] = [await checked([['双', '1']]), await checked([['双', '1.0']])];
    const answers = await Promise.all([commit(one.importTaskId, one.version), commit(other.importTaskId, other.version)]);
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM02038']);
    await app.runDue();
    expect([(await task(one.importTaskId)).state, (await task(other.importTaskId)).state].toSorted()).toEqual(['DONE', 'READY']);
  });

  it('writes the correct rows alone where that is asked for', async () => {
    const result = await checked(
      [
        ['对', '1'],
        ['错', 'x'],
      ],
      { mode: 'VALID_ONLY' },
    );
    expect(result).toMatchObject({ state: 'INVALID', mayCommit: true });
    await commit(result.importTaskId, result.version);
    await app.runDue();
    expect(await task(result.importTaskId)).toMatchObject({ state: 'DONE', okRows: 1, errorRows: 1 });
    expect((await notes(app.db)).map(({ name }) => name)).toEqual(['对']);
  });

  it('is not committed a day after its check nor undone a week after its commit; a cancelled one stays so', async () => {
    const done = await committed([['旧', '1']]);
    const ready = await checked([['迟', '1']]);
    await stayLoggedIn();
    app.clock.advance(hours(25));
    expect((await commit(ready.importTaskId, ready.version)).envelope.code).toBe('SCM02036');
    await app.ok(cancelImportTask, { importTaskId: ready.importTaskId, version: ready.version }, { as });
    expect((await commit(ready.importTaskId, ready.version + 1)).envelope.code).toBe('SCM90031');
    await stayLoggedIn();
    app.clock.advance(days(6));
    expect((await undo(done.importTaskId, done.version)).envelope).toMatchObject({ code: 'SCM02040', message: '已超过可撤销期限（7天）' });
    const { rows } = await app.ok(queryImportTaskList, { state: ['CANCELLED'] }, { as });
    expect(rows).toMatchObject([{ batchNo: ready.batchNo }]);
    const stranger = await app.staff({ permissions: [] });
    expect(await app.refused(queryImportResult, { importTaskId: done.importTaskId }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadTable } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { importMarkBinding } from '../../../contract/marks/calls/imports.ts';
import { binder, makeGroup, makeMark, makeObject } from '../../testing/marks.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await binder(app);
});
afterAll(() => app.close());

const ROWS = 60;
type Rows = Parameters<typeof uploadTable>[2];
const checked = async (rows: Rows) => {
  const fileId = await uploadTable(app, as, [['对象类型', '对象编号', '标签编码', '到期日期'], ...rows]);
  const { importTaskId } = await app.ok(importMarkBinding, { fileId }, { as });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as });
};
const committed = async (rows: Rows) => {
  const { importTaskId, version } = await checked(rows);
  await app.ok(commitImportTask, { importTaskId, version }, { as, idempotencyKey: `mark-binding-import-${importTaskId}` });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as });
};
const live = async (mark: string) =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int as n from content_mark_binding where mark_id = ${mark} and ended_at is null and source = 'IMPORT'`.execute(
      app.db,
    )
  ).rows[0]?.n;

it('writes nothing for one wrong row of sixty, all of them corrected, none again, and takes all back', async () => {
  const mark = await makeMark(app, await makeGroup(app, { objectType: 'CHANNEL' }));
  const { rows: codes } = await sql<{ markCode: string }>`select mark_code from content_mark where id = ${mark}`.execute(app.db);
  const code = codes[0]!.markCode;
  for (let made = 0; made < ROWS; made += 1) await makeObject(app);
  const { rows: channels } = await sql<{ no: string }>`select channel_no as no from channel_channel order by id limit ${ROWS}`.execute(
    app.db,
  );
  const right: Rows = channels.map(({ no }) => ['渠道', no, code, '']);
  const wrong = await checked(right.map((row, index) => (index === 6 ? ['渠道', 'QD-NONE', code, ''] : row)));
  expect(wrong).toMatchObject({ state: 'INVALID', errorRows: 1, okRows: ROWS - 1, mayCommit: false });
  const { rows: faults } = await app.ok(queryImportRowList, { importTaskId: wrong.importTaskId, action: ['ERROR'] }, { as });
  expect(
    faults.map((row) => [row.rowNo, row.errors.map(({ columnLetter, columnLabel, message }) => [columnLetter, columnLabel, message])]),
  ).toEqual([[8, [['B', '对象编号', '对象不存在']]]]);
  expect(await live(mark)).toBe(0);

  const task = await committed(right);
  expect(task).toMatchObject({ state: 'DONE', newRows: ROWS, sameRows: 0 });
  expect(await live(mark)).toBe(ROWS);
  expect(await checked(right.map((row) => [...row.slice(0, 3), '2030-12-31']))).toMatchObject({ newRows: 0, sameRows: ROWS });

  await app.ok(undoImportTask, { importTaskId: task.importTaskId, version: task.version, opinion: '导错文件' }, { as });
  await app.runDue();
  expect(await live(mark)).toBe(0);
});

it('names what is wrong with marks, days and doubles', async () => {
  const single = await makeGroup(app, { objectType: 'CHANNEL', selectMode: 'SINGLE' });
  const marks = [await makeMark(app, single), await makeMark(app, single), await makeMark(app)];
  const codeOf = async (id: string) =>
    (await sql<{ markCode: string }>`select mark_code from content_mark where id = ${id}`.execute(app.db)).rows[0]!.markCode;
  const [a, b, doctors] = [await codeOf(marks[0]!), await codeOf(marks[1]!), await codeOf(marks[2]!)];
  const object = await makeObject(app);
  const { rows } = await sql<{ no: string }>`select channel_no as no from channel_channel where id = ${object}`.execute(app.db);
  const no = rows[0]!.no;
  const task = await checked([
    ['渠道', no, a, ''],
    ['渠道', no, b, ''],
    ['渠道', no, 'BQ99999', ''],
    ['渠道', no, doctors, ''],
    ['渠道', no, a, '2020-01-01'],
  ]);
  const { rows: faults } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, action: ['ERROR'] }, { as });
  expect(faults.map((row) => [row.rowNo, row.errors.map(({ message }) => message)])).toEqual([
    [3, ['与第2行重复']],
    [4, ['标签编码不存在']],
    [5, ['标签不适用于该类对象']],
    [6, expect.arrayContaining(['到期日期不能早于今天', '与第2行重复'])],
  ]);
});

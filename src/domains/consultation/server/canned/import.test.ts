import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { importCannedReply, queryCannedReplyList } from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { withConsultation } from '../testing/imWorld.ts';
import { cannedImporter } from './importer.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: withConsultation });
});
afterAll(() => app.close());

it('a table of public replies names what is wrong, adds what is new and replaces what is known by its shortcut', async () => {
  const as = await app.staff({ permissions: [may['canned.manage'].code, may['chat.send'].code] });
  const run = async (rows: readonly Record<string, string>[]) => {
    const { importTaskId } = await app.ok(importCannedReply, { fileId: await uploadRows(app, as, cannedImporter, rows) }, { as });
    await app.runDue();
    return { importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
  };
  const commit = async ({ importTaskId, checked }: Awaited<ReturnType<typeof run>>) => {
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: `commit-of-import-${importTaskId}` });
    await app.runDue();
  };
  const row = (shortcut: string, more: object = {}) => ({ category: '导入', shortcut, title: `标题${shortcut}`, content: '您好', ...more });
  const stored = async () =>
    (await app.ok(queryCannedReplyList, { category: '导入', pageSize: 50 }, { as })).rows
      .map(({ shortcut, title, scope, version }) => ({ shortcut, title, scope, version }))
      .toSorted((a, b) => a.shortcut.localeCompare(b.shortcut));

  const bad = await run([row('dra'), row('dra'), row('DR'), row('drb', { content: '{{手机号}}' }), row('drc', { title: '' })]);
  expect(bad.checked).toMatchObject({ state: 'INVALID', errorRows: 4 });
  const { rows: wrong } = await app.ok(queryImportRowList, { importTaskId: bad.importTaskId, hasError: true }, { as });
  expect(wrong.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
    ['指令与第2行重复'],
    ['指令为1至20位小写字母、数字或汉字'],
    ['变量“手机号”不存在'],
    [expect.stringContaining('标题')],
  ]);
  expect(await stored()).toEqual([]);

  await commit(await run([row('dra'), row('drb')]));
  const again = await run([row('drb', { title: '新标题' }), row('dra'), row('drc')]);
  expect(again.checked).toMatchObject({ state: 'READY', newRows: 1, changedRows: 1, sameRows: 1 });
  await commit(again);
  expect(await stored()).toEqual([
    { shortcut: 'dra', title: '标题dra', scope: 'PUBLIC', version: 1 },
    { shortcut: 'drb', title: '新标题', scope: 'PUBLIC', version: 2 },
    { shortcut: 'drc', title: '标题drc', scope: 'PUBLIC', version: 1 },
  ]);
});

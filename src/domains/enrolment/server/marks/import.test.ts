import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadRows } from '#testing/uploads.ts';
import { auditSpecialUser, importSpecialUser, querySpecialUserList } from '../../contract/calls/marks.ts';
import { freshIdNo, hmoProduct, markKeeper } from '../testing/marks.ts';
import { markImporter } from './importer.ts';

let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await markKeeper(app);
});
afterAll(() => app.close());

type Row = Readonly<Record<string, string>>;
const row = (name: string, change: Row = {}): Row => ({
  name,
  idNo: freshIdNo(),
  markType: '强制复核',
  startDate: '2027-01-01',
  endDate: '2027-12-31',
  reason: '批量核查名单',
  ...change,
});
async function checked(rows: readonly Row[]) {
  const fileId = await uploadRows(app, maker, markImporter(app.kernel), rows);
  const { importTaskId } = await app.ok(importSpecialUser, { fileId }, { as: maker });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as: maker });
}
async function committed(rows: readonly Row[]) {
  const { importTaskId, version } = await checked(rows);
  await app.ok(commitImportTask, { importTaskId, version }, { as: maker, idempotencyKey: `marks-import-${importTaskId}` });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as: maker });
}
const found = async (name: string) => (await app.ok(querySpecialUserList, { name, pageSize: 999 }, { as: maker })).rows;

describe('importing marks', () => {
  it('names bad cells by row and column, writes nothing of 200 rows, then all of them, then none again, and takes all back', async () => {
    const good = Array.from({ length: 200 }, (_, at) => row(`名单人${String.fromCodePoint(0x4e00 + at)}`));
    const bad = good.map((one, at) => {
      if (at === 4) return { ...one, idNo: '110105194912310021' };
      if (at === 90) return { ...one, endDate: '2026-12-31' };
      return at === 150 ? { ...one, productIds: 'NO-SUCH' } : one;
    });
    const task = await checked(bad);
    expect(task).toMatchObject({ state: 'INVALID', errorRows: 3, okRows: 197, mayCommit: false });
    const { rows } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, action: ['ERROR'] }, { as: maker });
    expect(rows.map(({ rowNo, errors }) => [rowNo, ...errors.map(({ columnKey, message }) => `${columnKey} ${message}`)])).toEqual([
      [6, 'idNo 证件号校验位不正确'],
      [92, 'endDate 结束日期不能早于开始日期'],
      [152, 'productIds 产品编码“NO-SUCH”不存在'],
    ]);
    expect(await found('名单人')).toEqual([]);

    const done = await committed(good);
    expect(done).toMatchObject({ state: 'DONE', newRows: 200 });
    const written = await found('名单人');
    expect(written).toHaveLength(200);
    expect(new Set(written.map(({ state }) => state))).toEqual(new Set(['PENDING']));

    const again = await checked([...good.slice(1), good[0]!]);
    expect(again).toMatchObject({ newRows: 0, sameRows: 200 });

    await app.ok(undoImportTask, { importTaskId: done.importTaskId, version: done.version, opinion: '名单有误' }, { as: maker });
    await app.runDue();
    expect(await found('名单人')).toEqual([]);
  });

  it('refuses who is named twice, who is marked already, and what needs a paper', async () => {
    const idNo = freshIdNo();
    await committed([row('已有标记', { idNo })]);
    const { productCode, otherId } = await hmoProduct(app);
    expect(otherId).not.toBe('');
    const twice = row('重复人');
    const task = await checked([
      row('已有标记', { idNo, startDate: '2027-06-01' }),
      twice,
      { ...twice, startDate: '2027-12-31', endDate: '2028-01-01' },
      row('无凭据', { markType: '禁止入组' }),
      row('无号码', { idNo: '' }),
      row('指定产品', { productIds: productCode }),
    ]);
    const { rows } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, action: ['ERROR'] }, { as: maker });
    expect(rows.map(({ rowNo, errors }) => [rowNo, ...errors.map(({ message }) => message)])).toEqual([
      [2, '该用户在此时间段已有相同标记'],
      [4, '该用户的相同标记与第3行的日期重叠'],
      [5, '禁止入组、免服务费的标记须上传佐证附件，请在页面新增'],
      [6, '手机号与证件号至少填写一项'],
    ]);
  });

  it('is decided about by another person, and then stays', async () => {
    const task = await committed([row('导入后审批')]);
    const [mark] = await found('导入后审批');
    const verdict = { id: mark!.id, version: mark!.version, action: 'approve' as const, opinion: '' };
    expect(await app.refused(auditSpecialUser, verdict, { as: maker })).toMatchObject({ code: 'SCM14072' });
    await app.ok(auditSpecialUser, verdict, { as: await markKeeper(app) });
    expect(
      await app.refused(undoImportTask, { importTaskId: task.importTaskId, version: task.version, opinion: '名单有误' }, { as: maker }),
    ).toMatchObject({ code: 'SCM02042', message: expect.stringContaining('导入后审批') });
  });
});

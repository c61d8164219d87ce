import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadTable } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { addDiseaseInfo, importDiseaseInfo, queryDiseaseList } from '../../contract/diseaseCalls.ts';
import { corpusOperator, makeDisease } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
});
afterAll(() => app.close());

type Rows = Parameters<typeof uploadTable>[2];
const checked = async (rows: Rows) => {
  const { importTaskId } = await app.ok(
    importDiseaseInfo,
    { fileId: await uploadTable(app, as, [['病种编码', '病种名称', 'ICD-10前缀'], ...rows]) },
    { as },
  );
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as });
};
const committed = async (rows: Rows) => {
  const { importTaskId, version } = await checked(rows);
  await app.ok(commitImportTask, { importTaskId, version }, { as, idempotencyKey: `disease-import-${importTaskId}` });
  await app.runDue();
  return app.ok(queryImportResult, { importTaskId }, { as });
};
const found = async (diseaseName: string) => (await app.ok(queryDiseaseList, { diseaseName, pageSize: 99 }, { as })).rows;

describe('importing the disease dictionary', () => {
  it('names every faulty cell and writes nothing', async () => {
    const task = await checked([
      ['X1', '导入病种一', 'E11'],
      ['X1', '导入病种二', 'E11、W99'],
      ['X3', '导入病种三', '糖'],
      ['', '导入病种四', 'E11'],
    ]);
    expect(task).toMatchObject({ state: 'INVALID', errorRows: 3, okRows: 1, mayCommit: false });
    const { rows } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, action: ['ERROR'] }, { as });
    expect(rows.map((row) => [row.rowNo, row.errors.map(({ message }) => message)])).toEqual([
      [3, ['病种编码与第2行重复', '该ICD-10前缀不存在：W99']],
      [4, [expect.stringContaining('格式不正确')]],
      [5, [expect.stringContaining('病种编码')]],
    ]);
    expect(await found('导入病种')).toEqual([]);
  });

  it('adds and changes rows, leaves equal ones, and takes the batch back as a whole', async () => {
    const known = await makeDisease(app);
    const same = await makeDisease(app);
    const rows: Rows = [
      ['X10', '新导入病种', 'e11，E14'],
      [known.code, '导入后改名', 'E14'],
      [same.code, same.name, 'E11'],
    ];
    const task = await committed(rows);
    expect(task).toMatchObject({ state: 'DONE', newRows: 1, changedRows: 1, sameRows: 1 });
    expect(await found('新导入病种')).toMatchObject([{ diseaseCode: 'X10', icd10Prefixes: ['E11', 'E14'], available: 0 }]);
    expect(await found('导入后改名')).toMatchObject([{ id: known.id, icd10Prefixes: ['E14'], version: 2 }]);

    await app.ok(undoImportTask, { importTaskId: task.importTaskId, version: task.version, opinion: '导错文件' }, { as });
    await app.runDue();
    expect(await found('新导入病种')).toEqual([]);
    expect(await found(known.name)).toMatchObject([{ id: known.id, icd10Prefixes: ['E11'] }]);
  });

  it('is not taken back once an imported disease is in the corpus', async () => {
    const task = await committed([['X20', '已启用的导入病种', 'E11']]);
    const [disease] = await found('已启用的导入病种');
    await app.ok(addDiseaseInfo, { Id: disease!.id, diseaseCode: 'X20', diseaseName: '' }, { as });
    expect(
      await app.refused(undoImportTask, { importTaskId: task.importTaskId, version: task.version, opinion: '导错文件' }, { as }),
    ).toMatchObject({
      code: 'SCM02042',
      message: expect.stringContaining('X20'),
    });
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { addInsuredBatch, queryInsuredBatchRowList } from '../../contract/calls/batches.ts';
import { testTemplate } from '../../contract/calls/templates.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { cellsOf, HEADERS, listPerson, makeTemplate, parsed, setListScene, uploadList, type ListScene } from '../testing/lists.ts';

let app: TestApp;
let maker: TestStaff;
let templateId: string;
let policy: ListScene['policy'];
let product: ListScene['product'];
beforeAll(async () => {
  app = await startTestApp();
  ({ maker, templateId, policy, product } = await setListScene(app));
});
afterAll(() => app.close());

it('a list stands on the sheet that somebody chose, whichever its template names', async () => {
  const fileId = await uploadList(app, maker, [HEADERS, cellsOf(listPerson('张建国')), cellsOf(listPerson('李秀兰'))], '7月&8月 <新>');
  const sheets = ['说明', '7月&8月 <新>', '字典'];
  expect(await app.refused(testTemplate, { fileId, sheet: '9月' }, { as: maker })).toMatchObject({
    fields: [{ path: 'sheet', message: '文件中没有工作表“9月”' }],
  });
  // the template's sheet is the first one, which holds no list
  expect(await app.ok(testTemplate, { fileId, templateId }, { as: maker })).toMatchObject({
    sheets,
    missing: ['姓名', '证件号码'],
    rows: [],
  });
  expect(await app.ok(testTemplate, { fileId }, { as: maker })).toMatchObject({ sheets, templateId: null });
  const tried = await app.ok(testTemplate, { fileId, sheet: sheets[1] }, { as: maker });
  expect(tried).toMatchObject({ sheets, templateId, missing: [], layout: { sheet: sheets[1] } });
  expect(tried.rows.map(({ rowNo }) => rowNo)).toEqual([2, 3]);
  const { id: policyId } = await policy();
  const batch = await parsed(app, maker, [], { templateId, policyId, fileId, layout: tried.layout });
  expect(batch).toMatchObject({ state: 'PREVIEW', addRows: 2 });
});

it('a list without sheets offers none', async () => {
  const bytes = Buffer.from([HEADERS.join(','), cellsOf(listPerson('张建国')).join(',')].join('\r\n'));
  const fileId = await uploadFile(app, maker, POLICY_LIST, { fileName: '名单.csv', contentType: 'text/csv', bytes });
  expect(await app.ok(testTemplate, { fileId, templateId }, { as: maker })).toMatchObject({ sheets: [], missing: [] });
});

it('headers that several templates know are read by everybody’s, and for a policy by its insurer’s', async () => {
  const columns = [
    { target: 'name' as const, headerAliases: ['参保人员'] },
    { target: 'idNo' as const, headerAliases: ['公民身份号码'] },
  ];
  const insurers = await makeTemplate(app, maker, { insurerId: product.insurerId, columns });
  const everybodys = await makeTemplate(app, maker, { columns });
  const { name, idNo } = listPerson('张建国');
  const fileId = await uploadList(app, maker, [
    ['参保人员', '公民身份号码'],
    [name, idNo],
  ]);
  expect(await app.ok(testTemplate, { fileId }, { as: maker })).toMatchObject({ templateId: everybodys });
  const { id: policyId } = await policy();
  expect(await app.ok(testTemplate, { fileId, policyId }, { as: maker })).toMatchObject({ templateId: insurers });
});

it('a list names the sheet that was read, and where the columns are that it lacks', async () => {
  const fileId = await uploadList(app, maker, [HEADERS, cellsOf(listPerson('张建国'))], '7月名单');
  const { id: policyId } = await policy();
  const asked = { templateId, mode: 'MIXED' as const, policyIds: [policyId], fileId };
  expect(await app.refused(addInsuredBatch, asked, { as: maker })).toMatchObject({
    code: 'SCM13020',
    message: '缺少必填列：姓名、证件号码（读取的是工作表“说明”，这些列在工作表“7月名单”中，请选择该工作表）',
  });
  const { layout, elsewhere } = await app.ok(testTemplate, { fileId, templateId }, { as: maker });
  expect(elsewhere).toEqual(['7月名单']);
  const batch = await parsed(app, maker, [], { templateId, policyId, fileId, layout: { ...layout, sheet: '7月名单' } });
  expect(batch).toMatchObject({ state: 'PREVIEW', addRows: 1, sheetRead: '7月名单' });
});

it('plan codes in any case, mobiles with +86 and marks, names of any form, titles above the header; hidden rows warn', async () => {
  const { id: policyId } = await policy();
  const known = listPerson('张建国', { mobile: '\u202D+86 139-0000-0001\u202C', planCode: 'p1' });
  const unseen = listPerson('买买提.艾 力', { planCode: 'ｐ1' });
  const { writeXlsx } = await import('hucre');
  const bytes = Buffer.from(
    await writeXlsx({
      sheets: [
        { name: '旧名单', rows: [['姓名', '证件号码']], hidden: true },
        { name: '名单', rows: [['某某公司'], [...HEADERS], cellsOf(known), cellsOf(unseen)], rowDefs: new Map([[3, { hidden: true }]]) },
      ],
    }),
  );
  const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const fileId = await uploadFile(app, maker, POLICY_LIST, { fileName: '名单.xlsx', contentType, bytes });
  const batch = await parsed(app, maker, [], { templateId, policyId, fileId });
  expect(batch).toMatchObject({ state: 'PREVIEW', addRows: 2, warnRows: 1, sheetRead: '名单' });
  const { rows } = await app.ok(queryInsuredBatchRowList, { batchId: batch.id }, { as: maker });
  expect(rows.map(({ rowNo, name, planCode, warnings }) => [rowNo, name, planCode, warnings.map(({ code }) => code)])).toEqual([
    [3, '张建国', 'P1', []],
    [4, '买买提·艾力', 'P1', ['W06']],
  ]);
});

it('a certificate that Excel cut is a fault of its column, never a person', async () => {
  const { id: policyId } = await policy();
  const cut = { ...listPerson('张建国'), idNo: '1.10105E+17' };
  const batch = await parsed(app, maker, [cut], { templateId, policyId });
  expect(batch).toMatchObject({ state: 'HAS_ERROR', errorRows: 1, errorCodes: [{ code: 'E17', rows: 1 }] });
  expect(batch.errorCodes[0]?.sample).toContain('证件号码的数字“1.10105E+17”超过15位');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestStaff } from '../../../../testing/staff.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { uploadFile } from '../../../../testing/uploads.ts';
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

import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, row, search, toast } from '../steps.ts';

withBrowser();

journey('a special user is marked, passed by another person and followed by an edit', async ({ page, enter }) => {
  const name = '穆桂花';
  await enter('enrol_s', '/specialUser');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await page.getByRole('button', { name: '提交审批' }).waitFor();
  await page.getByLabel('姓名', { exact: true }).last().fill(name);
  await page.getByLabel('手机号', { exact: true }).last().fill('13800031234');
  await choose(page, '标记类型', '强制复核');
  await page.getByLabel('原因', { exact: true }).last().fill('既往材料多次不清晰');
  await page.getByRole('button', { name: '提交审批' }).click();
  await toast(page, '新增成功!');
  await search(page, '姓名', name);
  await row(page, name).getByText('待审批').waitFor();

  await enter('enrol_r', '/specialUser');
  await page.getByRole('tab', { name: '待我审批' }).click();
  await search(page, '姓名', name);
  await act(page, name, '同意');
  await confirm(page, '依据充分');
  await toast(page, '操作成功!');

  await enter('enrol_s', '/specialUser');
  await search(page, '姓名', name);
  await act(page, name, '编辑');
  await page.getByText('该标记生效中').waitFor();
  await page.getByLabel('原因', { exact: true }).last().fill('复核一年');
  await page.getByRole('button', { name: '提交审批' }).click();
  await toast(page, '修改成功!');

  await enter('enrol_r', '/specialUser');
  await search(page, '姓名', name);
  await row(page, '复核一年').getByText('待审批').waitFor();
});

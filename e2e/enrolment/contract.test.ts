import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, search, toast } from '../steps.ts';

withBrowser();

journey('a contract of an employee is changed by two people and ended by two people', async ({ page, enter, today }) => {
  await enter('enrol_s', '/signContractList');
  await page.getByRole('tab', { name: '生效中' }).click();
  await search(page, '产品', '员工药品福利');
  // Nothing waits for a decision of the contracts of lists that began last.
  const first = page.getByRole('row').filter({ hasText: 'DaaS药品福利' }).nth(3);
  await first.waitFor();
  const contractNo = /HT\d{14}/.exec(await first.innerText())![0];
  await search(page, '合同编号', contractNo);
  await act(page, contractNo, '变更');
  const wish = dialog(page, /合同变更/);
  await choose(wish, '变更类型', '变更联系方式');
  await wish.getByLabel('生效日期').fill(today);
  await wish.getByLabel('生效日期').press('Enter');
  await wish.getByLabel('手机号').fill('13800009999');
  await wish.getByLabel('变更原因').fill('员工更换手机号');
  await wish.getByRole('button', { name: '提交审批' }).click();
  await toast(page, '提交成功!');

  await enter('enrol_r', '/signContractList');
  await search(page, '合同编号', contractNo);
  await act(page, contractNo, '详情');
  await page.getByRole('tab', { name: /变更记录/ }).click();
  await page.getByRole('button', { name: /同\s*意/ }).click();
  await confirm(page, '与员工核实一致');
  await toast(page, '修改成功!');
  await page.getByText('138****9999').first().waitFor();
  await page.getByRole('tab', { name: '材料' }).click();
  await page.getByText('该合同没有其他材料').waitFor();

  await enter('enrol_s', '/signContractList');
  await search(page, '合同编号', contractNo);
  await act(page, contractNo, '终止');
  const ending = dialog(page, /终止合同/);
  await ending.getByLabel('终止日期').fill(today);
  await ending.getByLabel('终止日期').press('Enter');
  await ending.getByText('预计退款').waitFor();
  await choose(ending, '终止原因', '退保或离职');
  await ending.getByLabel('意见').fill('员工已离职');
  await ending.getByRole('button', { name: '提交，待第二人确认' }).click();
  await toast(page, '提交成功!');

  await enter('enrol_r', '/signContractList');
  await search(page, '合同编号', contractNo);
  await act(page, contractNo, '详情');
  await page.getByRole('button', { name: '确认终止' }).click();
  await confirm(page, '已与单位核实');
  await toast(page, '修改成功!');
  await row(page, '已终止').or(page.getByText('已终止')).first().waitFor();
});

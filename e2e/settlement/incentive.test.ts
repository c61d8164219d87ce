import { journey, withBrowser } from '../journey.ts';
import { act, confirm, dialog, row, search, toast } from '../steps.ts';

withBrowser();

journey('a programme is passed by finance, asks for more budget, and has it when another person has passed it', async ({ page, enter }) => {
  const name = '哮喘吸入技术教育';
  await enter('fin_r', '/IncentiveItroduction');
  await search(page, '项目名称', name);
  await act(page, name, '审核通过');
  await confirm(page, '任务与单价符合协议');
  await toast(page, '审核完成!');
  await row(page, '进行中').waitFor();

  await enter('chan_ops', '/IncentiveItroduction');
  await search(page, '项目名称', name);
  await act(page, name, '追加预算');
  const wish = dialog(page, '追加预算');
  await wish.getByLabel('追加金额').fill('500');
  await wish.getByLabel('原因').fill('参与医生多于预期');
  await wish.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '提交成功!');

  await enter('fin_r', '/IncentiveItroduction');
  await search(page, '项目名称', name);
  await act(page, name, '查看');
  await page.getByRole('tab', { name: '变更与导入' }).click();
  await act(page, '追加预算', '审核通过');
  await confirm(page, '与补充协议一致');
  await toast(page, '审核完成!');
  await page.getByText('4,500.00').first().waitFor();
});

import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, search, toast } from '../steps.ts';
import { firstBinding } from './bindings.ts';

withBrowser();

journey('a doctor without anybody is bound by one, passed by another, and stands in the table of bindings', async ({ page, enter }) => {
  await enter('chan_ops', '/performanceBindRelationTable?tab=unbound');
  const free = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: '发起绑定' }) })
    .first();
  await free.waitFor();
  const doctor = (await free.innerText()).trim().split(/\s/)[0]!;
  // Who serves which line, as the table says.
  await enter('chan_ops', '/performanceBindRelationTable');
  const { agentNo, lineName } = await firstBinding(page);

  await enter('chan_ops', '/performanceBindRelationTable?tab=unbound');
  await act(page, doctor, '发起绑定');
  const form = dialog(page, '新增绩效关系变更');
  await choose(form, '新代表', agentNo, agentNo);
  await choose(form, '产品线', lineName, lineName);
  await form.getByLabel('说明').fill('新增签约医生，由区域代表服务');
  await form.getByText('共 1 条绑定').waitFor();
  await form.getByRole('button', { name: '提交审核' }).click();
  await toast(page, '提交成功!');

  await enter('chan_ops', '/perfRelatedChange');
  const waiting = page.getByRole('row').filter({ hasText: '待审核' }).filter({ hasText: doctor }).first();
  await waiting.waitFor();
  const requestNo = /PC\d{14}/.exec(await waiting.innerText())![0];
  await enter('ops_audit', '/perfRelatedChange');
  await search(page, '单号', requestNo);
  await act(page, requestNo, '审核通过');
  await confirm(page, '与区域分工一致');
  await toast(page, '审核完成!');
  await row(page, '已生效').waitFor();

  await enter('ops_audit', '/performanceBindRelationTable');
  await search(page, '来源单号', requestNo);
  await row(page, '生效中').getByText(doctor).waitFor();
});

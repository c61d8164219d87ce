import { journey, withBrowser } from '../journey.ts';
import { act, confirm, importAll, row, toast } from '../steps.ts';
import { firstBinding } from './bindings.ts';

withBrowser();

const COLUMNS = ['代表工号', '医生编号', '产品线编号', '变更类型', '生效日期', '备注'];
const table = (cells: readonly string[]) => ({
  name: '绩效绑定.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${[COLUMNS, cells].map((line) => line.join(',')).join('\r\n')}\r\n`),
});

journey('a table of bindings names its wrong cell, becomes a request, and is taken back as a whole by another person', async (walk) => {
  const { page, enter, today } = walk;
  await enter('chan_ops', '/performanceBindRelationTable');
  const { agentNo, lineName } = await firstBinding(page);
  await enter('chan_ops', '/pharmaceuticalEnterprisesProductLine');
  // Several companies have a line of this name: the one that somebody serves.
  const lines = page.getByRole('row').filter({ hasText: lineName });
  await lines.first().waitFor();
  const served = (await lines.allInnerTexts()).find((text) => text.trim().split(/\s+/)[3] !== '0')!;
  const lineNo = /CX\d{14}/.exec(served)![0];
  await enter('chan_ops', '/performanceBindRelationTable?tab=unbound');
  const free = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: '发起绑定' }) })
    .first();
  await free.waitFor();
  const doctorNo = /YS\d{14}/.exec(await free.innerText())![0];

  await enter('chan_ops', '/importBind');
  // The first one is the tab of the page.
  await page.getByRole('button', { name: '导入绑定', exact: true }).nth(1).click();
  const wizard = page.getByRole('dialog', { name: /导入/ });
  await wizard.getByRole('button', { name: '下一步' }).click();
  const upload = async (agent: string) => {
    await wizard.locator('input[type=file]').setInputFiles(table([agent, doctorNo, lineNo, '绑定', today, '新增签约医生']));
    await wizard.getByRole('button', { name: '开始校验' }).click();
  };
  await upload('DB20200101000001');
  await wizard.getByText('代表不存在或已离职').waitFor();
  await wizard.getByRole('button', { name: '取消本批并重新上传' }).click();
  await upload(agentNo);
  await importAll(page, wizard, doctorNo);
  await page.keyboard.press('Escape');
  await wizard.waitFor({ state: 'detached' });
  const batchNo = /DR\d{14}/.exec(await row(page, '已完成').innerText())![0];
  await act(page, batchNo, '变更单');
  await row(page, '待审核').waitFor();

  await enter('ops_audit', '/perfRelatedChange?tab=imports');
  await act(page, batchNo, '整批撤销');
  await confirm(page, '导错文件');
  await toast(page, '整批已撤销');
  await enter('chan_ops', `/perfRelatedChange?sourceNo=${batchNo}`);
  await row(page, '已撤回').waitFor();
});

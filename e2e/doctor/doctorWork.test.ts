import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
import { importAll, row, toast } from '../steps.ts';

withBrowser();

const HOSPITAL = '杭州市第一人民医院';

journey('the queue is worked by keyboard alone, and the next case is there before the verdict is sent', async ({ page, signIn, open }) => {
  await signIn('doc_a');
  const read = new Set<string>();
  const isDetail = (url: string) => url.endsWith('/queryQualApplyDetail');
  page.on('response', (response) => {
    if (isDetail(response.url())) read.add((JSON.parse(response.request().postData() ?? '{}') as { applyId: string }).applyId);
  });
  /** Until so many cases were read ahead. */
  const readAhead = async (count: number) => {
    while (read.size < count) await page.waitForResponse((response) => isDetail(response.url()));
  };
  const here = () => new URL(page.url()).searchParams.get('applyId');
  await open('/doctorManagement?tab=audit');
  await page.getByRole('button', { name: '领取下一件' }).waitFor();
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('Alt+N');
  await page.getByText(/由我处理，至/).waitFor();
  const worked: string[] = [];
  for (const verdict of ['b', 'r']) {
    const applyId = here()!;
    worked.push(applyId);
    await readAhead(worked.length + 1);
    await page.keyboard.press(verdict);
    // The first choice has the focus; the words come after the choices.
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.type === 'checkbox');
    await page.keyboard.press('Space');
    while (!(await page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'))) await page.keyboard.press('Tab');
    await page.keyboard.type('证件照片不清晰，请重新拍摄');
    const known = new Set(read);
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction((before) => ![null, before].includes(new URL(location.href).searchParams.get('applyId')), applyId);
    expect(known.has(here()!), 'the next case was read before the verdict was sent').toBe(true);
    // Who works on takes the next case without asking.
    await page.getByText(/由我处理，至/).waitFor();
  }
  expect(worked).not.toContain(here());
  await page.keyboard.press('p');
  await page.waitForFunction(() => !new URL(location.href).searchParams.has('applyId'));
});

const table = (labels: readonly string[], rows: readonly (readonly string[])[]) => ({
  name: '医生.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${[labels, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`),
});
const DOCTOR_COLUMNS = [
  '姓名',
  '手机号',
  '身份证号',
  '执业机构',
  '科室',
  '职称',
  '执业级别',
  '执业类别',
  '执业范围',
  '执业起始日期',
  '擅长',
];
const doctorRow = (name: string, mobile: string, hospital = HOSPITAL) => [
  name,
  mobile,
  '',
  hospital,
  '心血管内科',
  '主治医师',
  '执业医师',
  '临床',
  '内科专业',
  '2012-07-01',
  '高血压的长期管理',
];

journey('doctors are imported: faults name their cells, the mended table is written once', async ({ page, enter }) => {
  await enter('doc_ops', '/doctorManagement');
  await page.getByRole('button', { name: '导入医生' }).click();
  const wizard = page.getByRole('dialog', { name: /导入/ });
  await wizard.getByRole('button', { name: '下一步' }).click();
  const upload = async (rows: readonly (readonly string[])[]) => {
    await wizard.locator('input[type=file]').setInputFiles(table(DOCTOR_COLUMNS, rows));
    await wizard.getByRole('button', { name: '开始校验' }).click();
  };
  await upload([doctorRow('季思远', '13655550101', '没有这家医院'), doctorRow('季思齐', '1365555')]);
  await wizard.getByText(/有2行未通过校验/).waitFor();
  await wizard.getByText('没有这家启用的医院，请核对名称或填写医院编号').waitFor();
  await wizard.getByRole('button', { name: '取消本批并重新上传' }).click();
  await upload([doctorRow('季思远', '13655550101'), doctorRow('季思齐', '13655550102')]);
  await importAll(page, wizard, '季思齐');
  await page.keyboard.press('Escape');
  await wizard.waitFor({ state: 'detached' });
  await page.getByLabel('姓名', { exact: true }).fill('季思');
  await page.getByRole('button', { name: /查\s*询/ }).click();
  await row(page, '季思远').getByText('未认证').waitFor();
  await row(page, '季思齐').waitFor();
});

const tick = (page: Page, at: number) => page.getByRole('row').nth(at).getByRole('checkbox').check();

journey('many doctors at once: an assistant, a service and a card, with an answer for each', async ({ page, enter }) => {
  await enter('doc_ops', '/doctorManagement?qualState=APPROVED&accountState=NORMAL');
  await page.getByRole('row').nth(3).waitFor();
  await tick(page, 1);
  await tick(page, 2);
  await page.getByRole('button', { name: '绑定医助' }).first().click();
  const bind = page.getByRole('dialog', { name: '绑定医助：2位医生' });
  await bind.getByRole('combobox').click();
  await page.keyboard.type('田甜');
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '田甜' })
    .first()
    .click();
  await bind.getByRole('radio', { name: '备岗' }).check();
  await bind.getByRole('button', { name: /绑\s*定/ }).click();
  await page
    .getByRole('dialog', { name: '绑定医助结果' })
    .getByText(/共 2 条，成功 \d 条/)
    .waitFor();
  await page.keyboard.press('Escape');
  // What was worked on is no longer ticked.
  await page.getByText(/已选/).waitFor({ state: 'detached' });
  await tick(page, 1);

  await page.getByRole('button', { name: '批量开通服务' }).click();
  const form = page.getByRole('dialog', { name: '开通服务' });
  await form.getByLabel('服务项目').click();
  await page.keyboard.type('随访');
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '随访' })
    .first()
    .click();
  await form.getByRole('button', { name: '提交申请' }).click();
  const outcome = page.getByRole('dialog', { name: '开通服务' });
  await outcome
    .getByText(/成功|失败/)
    .first()
    .waitFor();
});

journey('real-name switches are about what was picked, and the trial says what decides', async ({ page, enter }) => {
  await enter('doc_ops', '/patientRealNameSwitch');
  const pick = async (field: ReturnType<Page['locator']>, typed: string, option: string | RegExp) => {
    await field.getByRole('combobox').click();
    await page.keyboard.type(typed);
    await page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option')
      .filter({ hasText: option })
      .first()
      .click();
  };
  await page.getByRole('tab', { name: '按渠道' }).click();
  const rows = page.getByRole('row').filter({ hasText: '发起咨询' });
  await page.getByRole('button', { name: /新\s*增/ }).click();
  const form = page.getByRole('dialog', { name: '新增实名开关' });
  await form.getByLabel('场景').click();
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '发起咨询' })
    .click();
  const channel = form.locator('.ant-form-item').filter({ hasText: '渠道' }).first();
  await channel.getByRole('combobox').click();
  const last = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option').nth(5);
  const name = await last.innerText();
  await last.click();
  await form.getByRole('switch').click();
  await form.getByLabel('原因').fill('渠道试点免实名');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '新增成功!');
  await rows.filter({ hasText: name }).getByText('否').first().waitFor();

  const trial = page.getByRole('complementary', { name: '规则试算' });
  const of = (label: string) => trial.locator('.ant-form-item').filter({ hasText: label });
  await pick(of('渠道'), name, name);
  await trial.getByText('不要求实名').waitFor();
  await pick(of('服务项目'), '二次诊断', '二次诊断意见');
  await trial.getByText('须实名：二要素').waitFor();
  await trial.getByText(/由“服务项目·二次诊断意见”决定：诊疗服务最低须二要素实名/).waitFor();

  await page.getByRole('tab', { name: '按服务项目' }).click();
  await page.getByRole('button', { name: /新\s*增/ }).click();
  await pick(form.locator('.ant-form-item').filter({ hasText: '服务项目' }).first(), '二次诊断', '二次诊断意见');
  await form.getByLabel('场景').click();
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '发起咨询' })
    .click();
  await form.getByText('该项目为诊疗服务，发起咨询须二要素或更严格的实名').waitFor();
  expect(await form.getByRole('switch').isDisabled()).toBe(true);
});

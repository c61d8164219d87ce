import { createCanvas } from '@napi-rs/canvas';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { checkCharacter } from '#kernel/contract/idNumber.ts';
import { journey, withBrowser } from '../journey.ts';
import { act } from '../steps.ts';

withBrowser();

const toast = (page: Page, text: string | RegExp) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text }).first();

async function choose(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.click();
  // Lists of records are searched on the server.
  if (await field.isEditable()) await page.keyboard.type(option);
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: option })
    .first()
    .click();
}

/** What a call answers, once the page has made it. */
async function answerOf<T>(page: Page, operation: string, act: () => Promise<void>): Promise<T> {
  const [response] = await Promise.all([page.waitForResponse((one) => one.url().endsWith(`/${operation}`)), act()]);
  const { code, data } = (await response.json()) as { code: string; data: T };
  expect(code, operation).toBe('0000000');
  return data;
}

let pictures = 0;
/** A picture that no other one equals. */
function picture(name: string) {
  const canvas = createCanvas(480, 300);
  const pen = canvas.getContext('2d');
  pen.fillStyle = `hsl(${(pictures += 1) * 47}, 40%, 80%)`;
  pen.fillRect(0, 0, 480, 300);
  return { name, mimeType: 'image/jpeg', buffer: canvas.toBuffer('image/jpeg') };
}

const section = (page: Page, certificate: string) =>
  page.locator('.dm-form-cert').filter({ has: page.locator('header', { hasText: certificate }) });
async function handIn(page: Page, certificate: string, files: number, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const card = section(page, certificate);
  await card
    .locator('input[type=file]')
    .setInputFiles(Array.from({ length: files }, (_, index) => picture(`${certificate}${index + 1}.jpg`)));
  await card
    .getByRole('button', { name: '移除' })
    .nth(files - 1)
    .waitFor();
  for (const [label, value] of Object.entries(fields)) await card.getByLabel(label, { exact: true }).fill(value);
}

journey(
  'a price that moves by more than a fifth waits for a second person, a smaller one does not',
  async ({ page, otherBrowser, enter }) => {
    await enter('doc_ops', '/doctorManagementService?part=on');
    await page.getByRole('tab', { name: /已开通/ }).click();
    const opened = row(page, '图文快速问诊');
    const doctor = (await opened.getByRole('cell').nth(2).innerText()).split(/\s/)[0]!;
    await act(page, '图文快速问诊', '调价');
    const dialog = page.getByRole('dialog', { name: /^调价/ });
    const [, now, least, most] = /现价 ([\d.]+) 元，区间 ([\d.]+).*?([\d.]+) 元/
      .exec(await dialog.getByText(/^现价/).innerText())!
      .map(Number) as [number, number, number, number];
    await dialog.getByLabel('新价', { exact: true }).fill(String(most + 1));
    await dialog.getByText(/价格须在/).waitFor();
    const wanted = now * 1.3 < most ? now * 1.3 : Math.max(least, now * 0.6);
    await dialog.getByLabel('新价', { exact: true }).fill(wanted.toFixed(2));
    await dialog.getByText(/超过20%，须审核通过后生效/).waitFor();
    await dialog.getByLabel('调价原因').fill('同职称均价上调');
    await dialog.getByRole('button', { name: /确\s*定/ }).click();
    await dialog.waitFor({ state: 'detached' });

    const auditor = await otherBrowser();
    await enter('doc_a', '/doctorManagementService', auditor);
    const waiting = auditor
      .getByRole('row')
      .filter({ hasText: doctor })
      .filter({ hasText: wanted.toFixed(2) })
      .first();
    await waiting.getByText(`${now.toFixed(2)} → ${wanted.toFixed(2)}`).waitFor();
    await waiting.getByRole('button', { name: '通过' }).click();
    const question = auditor.getByRole('dialog').last();
    await question.getByRole('button', { name: /确\s*定/ }).click();
    await waiting.waitFor({ state: 'detached' });
  },
);

journey('an assistant hands over the doctors: preview, result, and the history says so', async ({ page, enter }) => {
  await enter('doc_ops', '/helpDoctorManage');
  const from = row(page, '袁野');
  await from.getByRole('button', { name: '转移' }).click();
  const wizard = page.getByRole('dialog', { name: /^转移医生：袁野/ });
  await wizard.getByRole('button', { name: '下一步' }).click();
  expect(await wizard.getByRole('button', { name: '下一步' }).isDisabled()).toBe(true);
  await wizard.getByRole('combobox').click();
  await page.keyboard.type('田甜');
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '田甜' })
    .first()
    .click();
  await page.keyboard.press('Escape');
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByPlaceholder('至少2个字符').fill('岗位调整');
  await wizard.getByRole('button', { name: '开始转移' }).click();
  await wizard.getByText(/转移单 ZY\d+：成功 \d+ 位/).waitFor();
  await wizard.getByRole('button', { name: '完成' }).click();
  await from.getByRole('button', { name: '绑定历史' }).click();
  const history = page.getByRole('dialog', { name: /^绑定历史：袁野/ });
  await history.getByRole('radio', { name: '已结束' }).check();
  await history.getByText('岗位调整').first().waitFor();
});

journey('a refund above the limit is paid out by a second person', async ({ page, otherBrowser, enter }) => {
  await enter('doc_ops', '/payConsultation');
  await page.getByRole('tab', { name: /^待接诊/ }).click();
  // Any order that costs more than what needs no second person.
  const order = page
    .getByRole('row')
    .filter({ hasText: /\/ [1-9]\d{2,}\.\d{2}/ })
    .filter({ has: page.getByRole('button', { name: '退款' }) })
    .first();
  const orderNo = /ZX\d+/.exec(await order.innerText())![0];
  await order.getByRole('button', { name: '退款' }).click();
  const dialog = page.getByRole('dialog', { name: `退款：${orderNo}` });
  await dialog.getByText(/服务未交付，退全部剩余/).waitFor();
  await dialog.getByLabel('意见', { exact: true }).fill('患者临时无法就诊');
  await dialog.getByRole('button', { name: '提交退款' }).click();
  await dialog.waitFor({ state: 'detached' });

  const checker = await otherBrowser();
  await enter('fin_r', '/payConsultation', checker);
  await checker.getByRole('tab', { name: /^待复核退款/ }).click();
  await row(checker, orderNo).getByRole('button', { name: '详情' }).click();
  const drawer = checker.getByRole('dialog', { name: new RegExp(orderNo) });
  await drawer.getByText('待复核').first().waitFor();
  await drawer.getByRole('button', { name: /^通\s*过$/ }).click();
  const question = checker.getByRole('dialog', { name: '通过退款' });
  await question.getByRole('button', { name: /确\s*定/ }).click();
  await toast(checker, '复核完成!');
  await drawer
    .getByText(/退款中|已退款/)
    .first()
    .waitFor();
  await expect.poll(() => drawer.getByRole('button', { name: /^通\s*过$/ }).count()).toBe(0);
});

journey(
  'a refund of which the channel says nothing ends by what one found out with proof and another confirms',
  async ({ page, otherBrowser, enter }) => {
    const openRefund = async (on: Page, orderNo?: string) => {
      await on.getByRole('tab', { name: /^退款中/ }).click();
      const found = orderNo === undefined ? on.getByRole('row').filter({ hasText: '退款中' }).first() : row(on, orderNo);
      await found.getByRole('button', { name: '详情' }).click();
      return on.getByRole('dialog', { name: /ZX\d+/ });
    };
    await enter('doc_ops', '/payConsultation');
    const drawer = await openRefund(page);
    const orderNo = /ZX\d+/.exec(await drawer.innerText())![0];
    await drawer.getByRole('button', { name: '登记核实结果' }).click();
    const form = page.getByRole('dialog', { name: /^登记核实结果：/ });
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await form.getByText('请选择核实结果').waitFor();
    await choose(page, '核实结果', '渠道已退款');
    await form.getByLabel('渠道退款单号', { exact: true }).fill('50300907132026112100001');
    await form.locator('input[type=file]').setInputFiles(picture('渠道回单.jpg'));
    await form.getByRole('button', { name: '移除' }).waitFor();
    await form.getByLabel('意见', { exact: true }).fill('已在商户平台核对到账');
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await form.waitFor({ state: 'detached' });
    await drawer.getByText('已在商户平台核对到账').waitFor();
    expect(await drawer.getByRole('button', { name: '确认结果' }).count()).toBe(0);

    const checker = await otherBrowser();
    await enter('fin_r', '/payConsultation', checker);
    const looked = await openRefund(checker, orderNo);
    await looked.getByText('已在商户平台核对到账').waitFor();
    await looked.getByRole('button', { name: '确认结果' }).click();
    const question = checker.getByRole('dialog', { name: '确认核实结果' });
    await question.getByText('50300907132026112100001').waitFor();
    await question.getByRole('button', { name: /确\s*定/ }).click();
    await toast(checker, '复核完成!');
    await looked.getByText('已退款').first().waitFor();
  },
);

const first17 = '33010219800512731';
const ID_NO = first17 + checkCharacter(first17);
const HOSPITAL = '杭州市第一人民医院';

/** The application of the first journey, which the second one brings to its end. */
let entered: { applyId: string; doctorId: string } | null = null;

journey('a doctor is entered with certificates and returned with the keyboard alone', async ({ page, otherBrowser, enter }) => {
  await enter('doc_ops', '/doctorManagement');
  await page.getByRole('button', { name: '新增医生' }).click();
  await page.getByRole('button', { name: '提交审核' }).click();
  await page.getByText('请输入姓名').waitFor();
  await page.getByLabel('姓名', { exact: true }).last().fill('沈清和');
  await page.getByLabel('手机号', { exact: true }).last().fill('13655550001');
  await page.getByLabel('身份证号', { exact: true }).fill(`${first17}${ID_NO.endsWith('1') ? '2' : '1'}`);
  await page.getByText('身份证号校验位不正确').waitFor();
  await page.getByLabel('身份证号', { exact: true }).fill(ID_NO);
  await choose(page, '执业机构', HOSPITAL);
  await choose(page, '科室', '心血管内科');
  await choose(page, '职称', '主治医师');
  await page.getByLabel('执业范围', { exact: true }).fill('内科专业');
  await page.getByLabel('执业起始日期', { exact: true }).fill('2012-07-01');
  await page.keyboard.press('Enter');
  await page.getByLabel('擅长', { exact: true }).fill('根治高血压');
  await page.getByText('擅长包含违规用语：根治').waitFor();
  await page.getByLabel('擅长', { exact: true }).fill('高血压的长期管理');
  await handIn(page, '身份证', 2);
  await handIn(page, '医师资格证', 1, { 证件编号: `201033110${ID_NO}` });
  await handIn(page, '医师执业证', 1, { 证件编号: '110330009988776', 证件上的执业机构: HOSPITAL });
  await handIn(page, '职称证', 1, { 证件编号: 'ZC998877' });
  const { applyId, doctorId } = await answerOf<{ applyId: string; doctorId: string }>(page, 'addDoctorInfo', () =>
    page.getByRole('button', { name: '提交审核' }).click(),
  );
  await toast(page, '新增成功!');
  entered = { applyId, doctorId };

  const auditor = await otherBrowser();
  await enter('doc_a', `/doctorManagement?tab=audit&applyId=${applyId}`, auditor);
  await auditor.getByText('审核要点').waitFor();
  await auditor.keyboard.press('l');
  await auditor.getByText(/由我处理，至/).waitFor();
  await auditor.keyboard.press('y');
  await auditor.keyboard.press('b');
  // The focus stands on the first certificate; the third one is asked for again.
  await auditor.getByRole('checkbox', { name: '身份证', exact: true }).and(auditor.locator(':focus')).waitFor();
  await auditor.keyboard.press('Tab');
  await auditor.keyboard.press('Tab');
  await auditor.keyboard.press('Space');
  await auditor.getByRole('checkbox', { name: '医师执业证', checked: true }).waitFor();
  while (!(await auditor.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'))) await auditor.keyboard.press('Tab');
  await auditor.keyboard.type('执业证照片反光，请重新拍摄');
  await auditor.keyboard.press('Control+Enter');
  await toast(auditor, '修改成功!');
});

journey(
  'what was returned is handed in again and passed by two persons with the keyboard alone',
  async ({ page, otherBrowser, open, enter }) => {
    expect(entered, 'the journey before').not.toBeNull();
    const { applyId, doctorId } = entered!;
    await enter('doc_ops', `/doctorManagement?doctorId=${doctorId}&edit=1`);
    await page.getByText(/已退回：执业证照片反光，请重新拍摄/).waitFor();
    // What was proposed stands in the form, and the certificate that was asked for is open.
    await expect.poll(() => page.getByLabel('执业范围', { exact: true }).inputValue()).toBe('内科专业');
    await handIn(page, '医师执业证', 1, { 证件编号: '110330009988776', 证件上的执业机构: HOSPITAL });
    const form = page.getByRole('dialog', { name: '编辑医生：沈清和' });
    const again = await answerOf<{ applyId: string }>(page, 'modifyDoctorInfo', () =>
      form.getByRole('button', { name: /确\s*定/ }).click(),
    );
    expect(again.applyId).toBe(applyId);

    const auditor = await otherBrowser();
    await enter('doc_a', `/doctorManagement?tab=audit&applyId=${applyId}`, auditor);
    await auditor.getByText('第2次提交').waitFor();
    await auditor.keyboard.press('l');
    await auditor.getByText(/由我处理，至/).waitFor();
    await auditor.keyboard.press('y');
    await auditor.getByText('全部已给出结论').waitFor();
    // Nothing is decided until somebody decides.
    await auditor.keyboard.press('Control+Enter');
    await toast(auditor, '请先选择审核结论：A 通过、B 退回补充、R 不通过');
    await auditor.keyboard.press('a');
    await auditor.keyboard.press('Control+Enter');
    await toast(auditor, '已转医务复核');
    await open(`/doctorManagement?tab=recheck&applyId=${applyId}`, auditor);
    await auditor.getByText('本人初审，须由他人复核').waitFor();

    const physician = await otherBrowser();
    await enter('doc_med', `/doctorManagement?tab=recheck&applyId=${applyId}`, physician);
    await physician.getByText('审核结论：未选择').waitFor();
    await physician.keyboard.press('a');
    await physician.getByText('审核结论：复核通过').waitFor();
    await physician.keyboard.press('Control+Enter');
    await toast(physician, '修改成功!');

    await open(`/doctorManagement?doctorId=${doctorId}`);
    const detail = page.getByRole('dialog', { name: '医生详情' });
    await detail.getByText('已认证', { exact: true }).waitFor();
    await detail.getByText('主治医师').first().waitFor();
  },
);

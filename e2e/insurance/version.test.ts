import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { listed, listFile, type Listed } from '../policy/listFile.ts';
import { act, choose, confirm, day, dialog, row, search, toast } from '../steps.ts';

withBrowser();

const SOURCE = 'DAAS-2026';
const CODE = 'DAAS-JOURNEY';
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

/** Opens a page of the product's own list on the product that is made here. */
async function findProduct(page: Page): Promise<void> {
  await search(page, '产品编码', CODE);
  await row(page, CODE).waitFor();
}

/** A test case takes what the version gives now for what must come out. */
async function settleCase(page: Page, name: string): Promise<void> {
  await act(page, name, '编辑');
  const form = dialog(page, `编辑测试用例 ${name}`);
  const amount = form.getByLabel('应赔金额');
  const before = await amount.inputValue();
  await form.getByRole('button', { name: '按当前内容试算并填入' }).click();
  await expect.poll(() => amount.inputValue()).not.toBe(before);
  await form.getByRole('button', { name: /保\s*存|确\s*定/ }).click();
  await toast(page, '修改成功!');
  await form.waitFor({ state: 'hidden' });
}

/** A step of the calculation: what it took and what is left, as the page writes them. */
const stepOf = async (table: Locator, code: string) => {
  const cells = await row(table, code).getByRole('cell').allInnerTexts();
  return { cut: cells[2], after: cells[3] };
};

/** From the policy's row to a list for it: uploaded, its columns looked at, read. */
async function importList(page: Page, policyNo: string, fileName: string, people: readonly Listed[], effectiveOn: string, mode: string) {
  await act(page, policyNo, '增减员');
  const wizard = dialog(page, '导入被保人清单');
  await wizard.getByLabel('保单', { exact: true }).waitFor();
  await wizard.locator('input[type=file]').setInputFiles(listFile(fileName, people, 'P1', effectiveOn));
  await wizard.getByText(/按表头识别为/).waitFor();
  await choose(page, '方式', mode);
  await wizard.getByRole('button', { name: '下一步' }).click();
  await row(wizard, people[0]!.name).getByText('可读取').waitFor();
  await wizard.getByRole('button', { name: '开始校验' }).click();
  const list = dialog(page, '清单批次');
  await list.getByText(fileName).waitFor();
  return list;
}

/** A list is handed in knowing whom it brings and takes. */
async function submitted(page: Page, impact: RegExp): Promise<void> {
  await page.locator('.kq-asked', { hasText: impact }).waitFor();
  await confirm(page);
  await toast(page, '提交成功!');
}

journey(
  'a version is written, proved by test cases, published by another person; people come and go by lists under a policy of it; their claim is paid to the fen',
  async ({ page, enter, open, secondTab, today }) => {
    await enter('product_a', '/productHome');
    await search(page, '产品编码', SOURCE);
    await act(page, SOURCE, '复制为新产品');
    const copy = dialog(page, '复制为新产品');
    await copy.getByLabel('产品编码').fill(SOURCE);
    await day(copy, '生效日', today);
    await copy.getByRole('button', { name: /保\s*存|确\s*定/ }).click();
    await copy.getByText('产品编码已存在').first().waitFor();
    await copy.getByLabel('产品编码').fill(CODE);
    await copy.getByRole('button', { name: /保\s*存|确\s*定/ }).click();
    await toast(page, '添加成功!');

    // Its trail begins with what it was copied from.
    await findProduct(page);
    await act(page, CODE, '查看');
    const drawer = dialog(page, '产品详情');
    await drawer.getByText(new RegExp(`复制自.*${SOURCE}`)).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });

    // The copy has no clauses; what it pays is changed.
    await act(page, CODE, '编辑版本');
    const desk = dialog(page, '保存草稿');
    const problems = desk.getByLabel('校验结果');
    await problems.getByText('请上传条款').waitFor();
    await desk
      .locator('input[type=file]')
      .setInputFiles({ name: '员工药品福利条款.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) });
    await problems.getByText('请上传条款').waitFor({ state: 'detached' });
    await desk.getByLabel('员工药品费用赔付比例第1行赔付比例').fill('120');
    await problems.getByText(/赔付比例/).waitFor();
    await desk.getByLabel('员工药品费用赔付比例第1行赔付比例').fill('90');
    await desk.getByText(/90%/).first().waitFor();
    await desk.getByText('内容校验通过').waitFor();

    // It is used at named drugstores only, and one plan pays by rates of its own.
    await choose(desk, '医疗机构', '指定机构');
    await problems.getByText('请选择医院或药店').waitFor();
    await choose(desk, '指定药店', '大药房', '大药房');
    await problems.getByText('请选择医院或药店').waitFor({ state: 'detached' });
    await desk.getByText('指定药店（已选1家）').waitFor();
    await desk.getByLabel('备案号').click();
    await choose(desk, '另设的责任', '员工药品费用');
    const rates = desk.getByRole('group', { name: '员工药品费用另设' });
    await rates.getByRole('button', { name: '另设赔付比例' }).click();
    await rates.getByLabel(/另设赔付比例第1行赔付比例/).fill('95');
    await rates.getByText(/赔95%/).waitFor();
    await desk.getByRole('button', { name: '保存草稿' }).click();
    await toast(page, '修改成功!');

    // A second window takes the rates of the plan away; whoever saves the older one is shown what is another now.
    const other = await secondTab();
    await open('/productHome', other);
    await findProduct(other);
    await act(other, CODE, '编辑版本');
    const elsewhere = dialog(other, '保存草稿');
    await elsewhere.getByRole('group', { name: '员工药品费用另设' }).getByRole('button', { name: '取消另设' }).click();
    await elsewhere.getByRole('button', { name: '保存草稿' }).click();
    await toast(other, '修改成功!');
    await other.close();
    await desk.getByLabel('备案号').fill('备案2026-J');
    await desk.getByRole('button', { name: '保存草稿' }).click();
    const conflict = dialog(page, '版本已被他人修改');
    await row(conflict, '另设').getByText(/赔95%/).waitFor();
    await conflict.getByRole('button', { name: '载入当前内容' }).click();
    await conflict.waitFor({ state: 'hidden' });
    await rates.getByText(/赔90%/).waitFor();

    // It is not handed in while its test cases expect what it paid before.
    await desk.getByRole('button', { name: '提交审核' }).click();
    const handIn = dialog(page, '变更说明');
    await handIn.getByLabel('变更说明').fill('赔付比例调整为90%');
    await handIn.getByRole('button', { name: '提交' }).click();
    await handIn
      .getByText(/测试用例/)
      .first()
      .waitFor();
    await handIn.getByRole('button', { name: '取消' }).click();
    await page.getByRole('button', { name: '放弃修改' }).click();
    await handIn.waitFor({ state: 'hidden' });
    await desk.getByRole('link', { name: '维护测试用例' }).click();
    await page.getByRole('button', { name: '全部运行' }).click();
    await page
      .getByRole('status')
      .getByText(/距提交要求还差/)
      .waitFor();
    await settleCase(page, '两盒，医保已结算');
    await settleCase(page, '四盒，无医保支付');
    await page.getByRole('button', { name: '全部运行' }).click();
    await page.getByRole('status').getByText('测试用例已达到提交要求').waitFor();

    await enter('product_a', '/productHome');
    await findProduct(page);
    await act(page, CODE, '编辑版本');
    await desk.getByRole('button', { name: '提交审核' }).click();
    await handIn.getByLabel('变更说明').fill('赔付比例调整为90%');
    await handIn.getByRole('button', { name: '提交' }).click();
    await toast(page, '操作成功!');
    const view = dialog(page, '产品版本');
    await view.getByText('待审核').first().waitFor();
    expect(await view.getByRole('button', { name: '通过' }).count()).toBe(0);

    await enter('product_r', '/productHome');
    await findProduct(page);
    await act(page, CODE, '查看');
    await row(dialog(page, '产品详情'), 'V1').getByRole('button', { name: '查看' }).click();
    await view.getByText(/90%/).first().waitFor();
    await view.getByRole('button', { name: '通过' }).click();
    await confirm(page, '条款与比例一致');
    await toast(page, '操作成功!');
    await view.getByText('生效中').first().waitFor();

    // A claim on it: three boxes of 85.37, 20.00 to be paid by oneself each time, ninety per cent of the rest.
    await enter('product_a', `/lookClaimRules?productCode=${CODE}&tab=trial`);
    const tryIt = page.getByRole('button', { name: '试算', exact: true });
    await tryIt.click();
    await page.getByRole('alert').getByText('请选择第1行的药品').waitFor();
    await choose(page, '填入测试用例', '两盒，医保已结算');
    await page.getByLabel('第1行数量').fill('3');
    await page.getByLabel('第1行单价').fill('85.37');
    await page.getByLabel('第1行医保已付').fill('');
    await tryIt.click();
    await expect.poll(() => page.getByTestId('payable').innerText()).toBe('212.50');
    const steps = page.getByLabel('第1行赔付计算过程');
    expect(await stepOf(steps, 'W01')).toEqual({ cut: '0.00', after: '256.11' });
    expect(await stepOf(steps, 'W07')).toEqual({ cut: '20.00', after: '236.11' });
    expect(await stepOf(steps, 'W08')).toEqual({ cut: '23.61', after: '212.50' });

    // Another part of the page is no other page: what was typed is there when one comes back.
    await page.getByRole('tab', { name: '责任参数' }).click();
    await page.getByRole('heading', { name: '保障责任' }).waitFor();
    await page.getByRole('tab', { name: '理赔试算' }).click();
    await expect.poll(() => page.getByLabel('第1行单价').inputValue()).toBe('85.37');
    expect(await page.getByRole('button', { name: /^关闭理赔规则/ }).count()).toBe(1);

    // A policy of the new product, and its first list: who is wrong in it is corrected where he stands.
    const policyNo = `QD${today.replaceAll('-', '')}01`;
    const lastDay = plusDays(today, 364);
    await enter('product_a', '/policyManage');
    await page.getByRole('button', { name: '新增保单' }).click();
    const form = dialog(page, '新增保单');
    await form.getByLabel('保单号', { exact: true }).fill(policyNo);
    await choose(form, '产品', CODE, CODE);
    await form.getByLabel('投保人名称').fill('康桥科技有限公司');
    await day(form, '起保日期', today);
    await day(form, '终保日期', lastDay);
    await form.getByRole('button', { name: /确\s*定/ }).click();
    // Nobody writes policies of a product that is not on sale yet.
    await form.getByText('产品已停售，不能新增保单').waitFor();
    const seller = await secondTab();
    await open('/productHome', seller);
    await findProduct(seller);
    await act(seller, CODE, '上架');
    await confirm(seller);
    await toast(seller, '操作成功!');
    await seller.close();
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');

    const people = ['周一鸣', '周二鸣', '周三鸣', '周四鸣', '周五鸣'].map((name, at) => listed(name, 701 + 2 * at));
    const last = people.at(-1)!;
    const wrong = { ...last, idNo: `${last.idNo.slice(0, 17)}${last.idNo.endsWith('0') ? '1' : '0'}` };
    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    const first = await importList(page, policyNo, '首批清单.csv', [...people.slice(0, -1), wrong], today, '增减员');
    await first.getByText(/E01/).first().waitFor();
    await act(page, last.name, '更正');
    const corrected = dialog(page, `第6行 ${last.name}`);
    await corrected.getByLabel('证件号').fill(last.idNo);
    await corrected.getByRole('button', { name: '更正并校验' }).click();
    await corrected.waitFor({ state: 'hidden' });
    await first.getByRole('tab', { name: '影响分析与提交' }).click();
    await first.getByRole('button', { name: '提交生效' }).click();
    await submitted(page, /新增5人变更0人减员0人/);
    await first.getByText('已生效').first().waitFor();

    // Who is insured under a list has a contract of his own.
    await enter('enrol_s', '/signContractList');
    await search(page, '被保人', last.name);
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: /查\s*询/ }).click();
        return page.getByRole('row').filter({ hasText: last.name }).filter({ hasText: '生效中' }).count();
      })
      .toBe(1);

    // The next list is a whole one: the fifth is not in it, the sixth is new. Somebody else checks what it does.
    const newcomer = listed('周六鸣', 713);
    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    const second = await importList(page, policyNo, '次月清单.csv', [...people.slice(0, -1), newcomer], today, '全量比对');
    await second.getByText('需要他人审核：涉及1份有效签约；全量比对').waitFor();
    await row(second, last.name).getByText('减员后签约失去保障').waitFor();
    await second.getByText('还有1条提示未确认').waitFor();
    await second.getByRole('tab', { name: '清单明细' }).click();
    await second.getByRole('button', { name: /^W05/ }).click();
    await second.getByRole('button', { name: '确认W05全部提示' }).click();
    await toast(page, '操作成功!');
    await second.getByRole('tab', { name: '影响分析与提交' }).click();
    await second.getByRole('button', { name: '提交生效' }).click();
    await submitted(page, /新增1人变更0人减员1人/);
    const batchNo = /QD\d{14}/.exec(await second.innerText())![0];
    await second.getByText('待审核').first().waitFor();
    // Who made it does not pass it.
    expect(await second.getByRole('button', { name: '审核通过' }).count()).toBe(0);

    await enter('product_r', `/inventoryListManagement?batchNo=${batchNo}`);
    await act(page, batchNo, '审核通过');
    await confirm(page, '与企业花名册一致');
    await toast(page, '操作成功!');
    await row(page, batchNo).getByText('已生效').waitFor();

    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await row(page, policyNo).getByText('5/0').waitFor();
    await act(page, policyNo, '详情');
    const policy = dialog(page, '保单详情');
    await policy.getByRole('tab', { name: '被保人' }).click();
    for (const name of ['周一鸣', '周六鸣']) await row(policy, name).getByText('保障中').waitFor();
    expect(await row(policy, last.name).innerText()).not.toContain('保障中');
    await act(page, newcomer.name, '详情');
    const person = dialog(page, `被保人 ${newcomer.name}`);
    await person.getByText('员工药品福利', { exact: false }).first().waitFor();
    expect(await row(person, today).innerText()).toContain(lastDay);

    // His claim, on his own cover: two boxes of 101.01, 20.00 to be paid by oneself, ninety per cent of the rest.
    await enter('product_a', `/lookClaimRules?productCode=${CODE}&tab=trial`);
    await tryIt.waitFor();
    await choose(page, '填入测试用例', '两盒，医保已结算');
    await day(page, '提交日期', today);
    await day(page, '起保日期', today);
    await day(page, '终保日期', lastDay);
    await day(page, '购药日期', today);
    await page.getByLabel('第1行数量').fill('2');
    await page.getByLabel('第1行单价').fill('101.01');
    await page.getByLabel('第1行医保已付').fill('');
    await tryIt.click();
    await expect.poll(() => page.getByTestId('payable').innerText()).toBe('163.82');
    expect(await stepOf(steps, 'W01')).toEqual({ cut: '0.00', after: '202.02' });
    expect(await stepOf(steps, 'W07')).toEqual({ cut: '20.00', after: '182.02' });
    expect(await stepOf(steps, 'W08')).toEqual({ cut: '18.20', after: '163.82' });
    // The day after his cover ends pays nothing.
    await day(page, '提交日期', plusDays(lastDay, 1));
    await day(page, '购药日期', plusDays(lastDay, 1));
    await tryIt.click();
    await expect.poll(() => page.getByTestId('payable').innerText()).toBe('0.00');
  },
);

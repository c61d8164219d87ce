import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
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

journey(
  'a version is written, proved by test cases, published by another person, and pays a claim to the fen',
  async ({ page, enter, today }) => {
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
    await toast(page, '新增成功!');

    // The copy has no clauses; what it pays is changed.
    await findProduct(page);
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
    await desk.getByRole('button', { name: '保存草稿' }).click();
    await toast(page, '修改成功!');

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
  },
);

import { plusDays } from '../../src/kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { choose, confirm, dialog, row, toast } from '../steps.ts';
import { csvFile, listed } from './listFile.ts';

withBrowser();

const COLUMNS = [
  '保单号',
  '产品编码',
  '保单类型',
  '投保人类型',
  '投保人名称',
  '投保人证件号',
  '投保人联系电话',
  '起保日期',
  '终保日期',
  '缴费方式',
];
const OPEN = ['宽限期（天）', '保费计算', '退费手续费率（万分之）', '赔付后仍退费', '申报人数', '最多追溯天数', '地区', '渠道'];

journey(
  'policies come from a table, whose faults name their cells; others come with the first list of their persons, whose columns are set by hand',
  async ({ page, enter, today }) => {
    const [imported, listedNo] = [`DR${today.replaceAll('-', '')}01`, `DR${today.replaceAll('-', '')}02`];
    const until = plusDays(today, 364);
    await enter('product_a', '/policyManage');
    await page.getByRole('button', { name: '导入保单' }).click();
    const wizard = page.getByRole('dialog', { name: /导入/ });
    await wizard.getByRole('button', { name: '下一步' }).click();
    const upload = async (productCode: string) => {
      const cells = [imported, productCode, '团单', '企业', '巡检物流有限公司', '', '', today, until, '趸交'];
      await wizard.locator('input[type=file]').setInputFiles(
        csvFile('保单.csv', [
          [...COLUMNS, ...OPEN],
          [...cells, ...OPEN.map(() => '')],
        ]),
      );
      await wizard.getByRole('button', { name: '开始校验' }).click();
    };
    await upload('CHR-0000');
    await wizard.getByText('产品编码“CHR-0000”不存在').waitFor();
    await wizard.getByRole('button', { name: '取消本批并重新上传' }).click();
    await upload('CHR-2026');
    await wizard.getByText('全部行通过校验，可以预览并提交').waitFor();
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByText(imported).waitFor();
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByRole('button', { name: /^提\s*交$/ }).click();
    await page
      .getByRole('dialog', { name: '确认提交' })
      .getByRole('button', { name: /确\s*定/ })
      .click();
    await wizard.getByRole('heading', { name: '导入完成' }).waitFor();
    await page.keyboard.press('Escape');
    await wizard.waitFor({ state: 'detached' });
    await enter('product_a', `/policyManage?policyNo=${imported}`);
    await row(page, imported).getByText('巡检物流有限公司').waitFor();

    // A list of a policy that is not there yet: what it says of the policy are columns that its template does not know.
    const [worker] = [listed('徐新来', 501)];
    await enter('product_a', '/inventoryListManagement');
    await page.getByRole('button', { name: '导入清单' }).click();
    const list = dialog(page, '导入被保人清单');
    await list.locator('input[type=file]').setInputFiles(
      csvFile('首次承保.csv', [
        ['姓名', '证件号码', '计划', '生效日期', '保单编号', '险种编码', '投保单位', '起期', '止期'],
        [worker!.name, worker!.idNo, 'P1', today, listedNo, 'CHR-2026', '巡检物流有限公司', today, until],
      ]),
    );
    await choose(page, '方式', '首次承保');
    await choose(page, '模板', '人保健康 增减员清单', '人保健康');
    await list.getByRole('button', { name: '下一步' }).click();
    await list.getByText('请设置保单号列，或返回上一步选择保单').waitFor();
    for (const [header, target] of [
      ['保单编号', '保单号'],
      ['险种编码', '产品编码'],
      ['投保单位', '投保人'],
      ['起期', '起保日期'],
      ['止期', '终保日期'],
    ] as const)
      await choose(list, `“${header}”对应的字段`, target, target);
    await row(list, worker!.name).getByText('可读取').waitFor();
    await list.getByRole('button', { name: '上一步' }).click();
    await list.getByText('不存在的保单将按清单新增').waitFor();
    await list.getByRole('button', { name: '下一步' }).click();
    await list.getByRole('button', { name: '开始校验' }).click();
    const batch = dialog(page, '清单批次');
    await row(batch, worker!.name).getByText('新增').waitFor();
    await batch.getByText(listedNo).first().waitFor();
    await batch.getByRole('button', { name: '提交生效' }).click();
    await confirm(page);
    await toast(page, '提交成功!');
    await batch.getByText('已生效').first().waitFor();
    await enter('product_a', `/policyManage?policyNo=${listedNo}`);
    await row(page, listedNo).getByText('1/0').waitFor();
  },
);

import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, allows, choice, choices, listPage, rowForm, type Part } from '#kernel/server/datasets/pageParts.ts';
import { integrations, licenceStates, supplierTypes } from '../../contract/dictionaries.ts';
import { supplierWindows } from '../../contract/pageWindows.ts';
import { supplierMachine } from '../../contract/supplierStates.ts';

const SUPPLIERS = 'supplierSetup';
const opens = (window: PageWindow, label: string, more: Part): Part => ({
  type: 'kq-window',
  window: window.name,
  label,
  reload: 'suppliers',
  ...more,
});
const ofRow = { record: 'id', level: 'link' };

/** What is done with a row at once. */
const act = (code: string, label: string, confirmText: string): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  confirmText,
  actionType: 'ajax',
  api: { url: `/ds/${SUPPLIERS}/action.${code}`, data: { key: '${id}', version: '${version}' } },
  reload: 'suppliers',
});
const withOpinion = (code: string, label: string, required: boolean): Part =>
  rowForm(
    code,
    label,
    `${label}供应商`,
    actionForm(SUPPLIERS, code, { key: '${id}', version: '${version}', opinion: '${opinion}' }, 'suppliers', [
      { type: 'static', name: 'supplierName', label: '供应商' },
      { type: 'textarea', name: 'opinion', label: '意见', required, maxLength: 500 },
    ]),
  );

/** /supplierSetup 供应商设置. */
export const supplierPage: BuiltinPage = {
  token: 'supplierSetup',
  description: '外部履约供应商：资料、证照、覆盖地区、商品与库存、运费时效、对接与停接时段，新增和变更须审核',
  definition: listPage({
    name: 'suppliers',
    dataset: SUPPLIERS,
    placeholder: '没有符合条件的供应商',
    search: [
      [
        { type: 'input-text', name: 'supplier', label: '供应商', placeholder: '名称或编码', clearable: true },
        choices('supplierType', '类型', supplierTypes),
        choice('integration', '对接方式', integrations),
      ],
      [choice('licenceState', '证照状态', licenceStates), choices('status', '状态', supplierMachine.dictionary)],
    ],
    toolbar: [opens(supplierWindows.add, '新增', { level: 'primary' })],
    columns: [
      { name: 'supplierCode', label: '编码', width: 100, sortable: true, fixed: 'left' },
      { name: 'supplierName', label: '名称', width: 190 },
      { name: 'statusText', label: '状态', width: 90 },
      {
        name: 'expireOn',
        label: '证照到期',
        width: 110,
        sortable: true,
        type: 'tpl',
        tpl: "${licenceState == 'VALID' ? expireOnText : ''}<span class=\"text-danger\">${licenceState == 'VALID' ? '' : expireOnText}</span>",
      },
      { name: 'supplierTypeText', label: '类型', width: 90 },
      { name: 'integrationText', label: '对接方式', width: 100 },
      { name: 'regionCount', label: '覆盖地区数', width: 100, align: 'right' },
      { name: 'goodsCount', label: '在售品数', width: 90, align: 'right' },
      { name: 'dailyCapacity', label: '日产能', width: 80, align: 'right' },
      { name: 'licenceStateText', label: '证照状态', width: 110 },
      { name: 'coldChainCapableText', label: '冷链能力', width: 90 },
      { name: 'updatedBy', label: '修改人', width: 90 },
      { name: 'updatedAtText', label: '修改时间', width: 150, sortable: true },
    ],
    row: {
      width: 160,
      buttons: [
        opens(supplierWindows.view, '查看', ofRow),
        opens(supplierWindows.edit, '编辑', { ...ofRow, visibleOn: "${status != 'PENDING_AUDIT'}" }),
        opens(supplierWindows.audit, '审核', { ...ofRow, visibleOn: allows('audit') }),
        {
          type: 'dropdown-button',
          label: '更多',
          level: 'link',
          buttons: [
            act('submit', '提交审核', '提交后由他人审核，确定要提交吗?'),
            withOpinion('pause', '暂停接单', false),
            act('resume', '恢复接单', '确定要恢复接单吗?'),
            withOpinion('disable', '停用', true),
          ],
        },
      ],
    },
  }),
};

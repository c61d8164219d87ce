import type { BuiltinPage } from '../../../../kernel/server/datasets/dataset.ts';
import { capabilities, storeTags } from '../../contract/dictionaries.ts';
import { storeMachine } from '../../contract/states.ts';

const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const choice = (name: string, label: string, from: Parameters<typeof options>[0]) => ({
  type: 'select',
  name,
  label,
  multiple: true,
  clearable: true,
  joinValues: false,
  extractValue: true,
  options: options(from),
});

/** The form of both acts; `target` says whose hours are set. */
const hoursForm = (code: string, target: Readonly<Record<string, string>>, first: readonly object[]) => ({
  type: 'form',
  mode: 'horizontal',
  api: {
    url: `/ds/institution.drugstore/action.${code}`,
    data: { ...target, days: '${days}', closed: '${closed}', from: '${from}', to: '${to}' },
  },
  reload: 'stores',
  body: [
    ...first,
    {
      type: 'checkboxes',
      name: 'days',
      label: '适用日期',
      required: true,
      checkAll: true,
      joinValues: false,
      extractValue: true,
      options: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'].map((label, at) => ({ label, value: String(at + 1) })),
    },
    { type: 'switch', name: 'closed', label: '休息' },
    {
      type: 'input-text',
      name: 'from',
      label: '开始时间',
      placeholder: '09:00',
      visibleOn: '${!closed}',
      description: '24小时制；未选择的日期保持不变',
    },
    {
      type: 'input-text',
      name: 'to',
      label: '结束时间',
      placeholder: '21:00',
      visibleOn: '${!closed}',
      description: '早于开始时间表示次日，最晚到次日06:00',
    },
  ],
});

/** /tDrugstore 药店数据. */
export const drugstorePage: BuiltinPage = {
  token: 'tDrugstore',
  description: '药店主数据查询，可修改营业时间',
  definition: {
    type: 'page',
    body: [
      {
        type: 'crud',
        name: 'stores',
        api: '/ds/institution.drugstore/list',
        perPage: 20,
        primaryField: 'id',
        placeholder: '没有符合条件的药店',
        syncLocation: true,
        filter: {
          title: '',
          mode: 'horizontal',
          wrapWithPanel: false,
          className: 'kq-filter',
          body: [
            {
              type: 'group',
              body: [
                { type: 'input-text', name: 'storeNo', label: '门店编号', clearable: true },
                { type: 'input-text', name: 'name', label: '名称', clearable: true },
                choice('storeTags', '类型', storeTags),
                choice('capabilities', '能力', capabilities),
              ],
            },
            {
              type: 'group',
              body: [
                choice('state', '状态', storeMachine.dictionary),
                {
                  type: 'select',
                  name: 'openNow',
                  label: '正在营业',
                  clearable: true,
                  options: [
                    { value: 'true', label: '是' },
                    { value: 'false', label: '否' },
                  ],
                },
                { type: 'input-number', name: 'expireWithin', label: '证照到期', min: 0, max: 365, precision: 0, suffix: '天内' },
                {
                  type: 'button-toolbar',
                  buttons: [
                    { type: 'submit', label: '查询', level: 'primary' },
                    { type: 'reset', label: '重置' },
                  ],
                },
              ],
            },
          ],
        },
        headerToolbar: [
          'bulkActions',
          { type: 'kq-export', dataset: 'institution.drugstore', label: '导出', align: 'right' },
          { type: 'columns-toggler', align: 'right' },
          'reload',
        ],
        footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
        perPageAvailable: [10, 20, 50, 100],
        bulkActions: [
          {
            type: 'button',
            label: '批量修改营业时间',
            actionType: 'dialog',
            dialog: { title: '批量修改营业时间', body: hoursForm('batchHours', { keys: '${ids}' }, []) },
          },
        ],
        columns: [
          { name: 'storeNo', label: '门店编号', width: 160, sortable: true, fixed: 'left' },
          { name: 'name', label: '名称', width: 230, sortable: true, fixed: 'left' },
          { name: 'chainName', label: '连锁', width: 200 },
          { name: 'chainStoreCode', label: '店号', width: 100, toggled: false },
          { name: 'storeTagsText', label: '类型', width: 160 },
          { name: 'capabilitiesText', label: '能力', width: 190 },
          { name: 'region', label: '地区', width: 180 },
          { name: 'address', label: '地址', width: 260 },
          { name: 'phone', label: '电话', width: 130 },
          { name: 'todayHours', label: '今日营业', width: 130 },
          { name: 'nextExpireOnText', label: '证照到期', width: 110 },
          { name: 'stateText', label: '状态', width: 80 },
          { name: 'suspendReason', label: '停用原因', width: 180, toggled: false },
          { name: 'updatedAtText', label: '更新时间', width: 160, sortable: true },
          {
            type: 'operation',
            label: '操作',
            width: 120,
            fixed: 'right',
            buttons: [
              {
                type: 'button',
                label: '修改营业时间',
                level: 'link',
                visibleOn: "${ARRAYINCLUDES(allowedActions, 'hours')}",
                actionType: 'dialog',
                dialog: {
                  title: '修改营业时间',
                  body: hoursForm('hours', { key: '${id}' }, [{ type: 'static', name: 'name', label: '药店' }]),
                },
              },
            ],
          },
        ],
      },
    ],
  },
};

import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, choices, listPage, rowForm, yesNo, type Part } from '#kernel/server/datasets/pageParts.ts';
import { capabilities, storeTags } from '../../contract/dictionaries.ts';
import { storeMachine } from '../../contract/states.ts';

/** The form of both acts; `target` says whose hours are set. */
const hoursForm = (code: string, target: Readonly<Record<string, string>>, first: readonly Part[]) =>
  actionForm('institution.drugstore', code, { ...target, days: '${days}', closed: '${closed}', from: '${from}', to: '${to}' }, 'stores', [
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
  ]);

/** /tDrugstore 药店数据. */
export const drugstorePage: BuiltinPage = {
  token: 'tDrugstore',
  description: '药店主数据查询，可修改营业时间',
  definition: listPage({
    name: 'stores',
    dataset: 'institution.drugstore',
    placeholder: '没有符合条件的药店',
    search: [
      [
        { type: 'input-text', name: 'storeNo', label: '门店编号', clearable: true },
        { type: 'input-text', name: 'name', label: '名称', clearable: true },
        choices('storeTags', '类型', storeTags),
        choices('capabilities', '能力', capabilities),
      ],
      [
        choices('state', '状态', storeMachine.dictionary),
        yesNo('openNow', '正在营业'),
        { type: 'input-number', name: 'expireWithin', label: '证照到期（天内）', min: 0, max: 365, precision: 0, placeholder: '不限' },
      ],
    ],
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
      { name: 'stateText', label: '状态', width: 80 },
      { name: 'nextExpireOnText', label: '证照到期', width: 110 },
      { name: 'todayHours', label: '今日营业', width: 130 },
      { name: 'chainName', label: '连锁', width: 200 },
      { name: 'chainStoreCode', label: '店号', width: 100, toggled: false },
      { name: 'storeTagsText', label: '类型', width: 160 },
      { name: 'capabilitiesText', label: '能力', width: 190 },
      { name: 'region', label: '地区', width: 180 },
      { name: 'address', label: '地址', width: 260 },
      { name: 'phone', label: '电话', width: 130 },
      { name: 'suspendReason', label: '停用原因', width: 180, toggled: false },
      { name: 'updatedAtText', label: '更新时间', width: 160, sortable: true },
    ],
    row: {
      width: 120,
      buttons: [
        rowForm(
          'hours',
          '修改营业时间',
          '修改营业时间',
          hoursForm('hours', { key: '${id}' }, [{ type: 'static', name: 'name', label: '药店' }]),
        ),
      ],
    },
  }),
};

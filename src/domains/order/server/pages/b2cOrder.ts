import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, allows, choices, listPage, rowForm, yesNo, type Part } from '#kernel/server/datasets/pageParts.ts';
import { pushStates } from '../../contract/orderDictionaries.ts';
import { fulfilmentWindows } from '../../contract/pageWindows.ts';
import { fulfilmentMachine } from '../../contract/fulfilmentStates.ts';

const PARTS = 'b2cOrder';
const opens = (window: PageWindow, label: string, more: Part = {}): Part => ({
  type: 'kq-window',
  window: window.name,
  label,
  reload: 'parts',
  record: 'id',
  level: 'link',
  ...more,
});

/** What is done with a row at once. */
const act = (code: string, label: string, more: Part = {}): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  actionType: 'ajax',
  api: { url: `/ds/${PARTS}/action.${code}`, data: { key: '${id}', version: '${version}' } },
  reload: 'parts',
  ...more,
});
const withOpinion = (code: string, label: string, word: string): Part =>
  rowForm(
    code,
    label,
    label,
    actionForm(PARTS, code, { key: '${id}', version: '${version}', opinion: '${opinion}' }, 'parts', [
      { type: 'static', name: 'fulfilmentNo', label: '履约单号' },
      { type: 'static', name: 'supplierName', label: '供应商' },
      { type: 'textarea', name: 'opinion', label: word, required: true, maxLength: 200 },
    ]),
  );

/** /b2cOrder B2C订单. */
export const b2cOrderPage: BuiltinPage = {
  token: 'b2cOrder',
  description: '送药到家订单的履约单：推送、代接单、发货、撤回与打印拣货单',
  definition: listPage({
    name: 'parts',
    dataset: PARTS,
    placeholder: '没有符合条件的履约单',
    search: [
      [
        { type: 'input-text', name: 'fulfilmentNo', label: '履约单号', placeholder: '完整履约单号', clearable: true },
        { type: 'input-text', name: 'orderNo', label: '订单号', placeholder: '完整订单号', clearable: true },
        { type: 'input-text', name: 'waybillNo', label: '运单号', placeholder: '完整运单号', clearable: true },
      ],
      [choices('state', '状态', fulfilmentMachine.dictionary), choices('pushState', '推送状态', pushStates), yesNo('overSla', '仅看超时')],
      [
        { type: 'kq-picker', name: 'supplierId', label: '供应商', dataset: PARTS, options: 'supplier' },
        { type: 'kq-region', name: 'regionCode', label: '收货省市' },
      ],
    ],
    columns: [
      { name: 'fulfilmentNo', label: '履约单号', width: 170, sortable: true, fixed: 'left' },
      { name: 'stateText', label: '状态', width: 90 },
      { name: 'pushStateText', label: '推送状态', width: 90 },
      { name: 'orderNo', label: '订单号', width: 170 },
      { name: 'supplierName', label: '供应商', width: 150 },
      { name: 'goodsText', label: '药品×数量', width: 220 },
      { name: 'receiverName', label: '收货人', width: 90 },
      { name: 'regionText', label: '省市', width: 160 },
      { name: 'acceptDeadlineText', label: '接单时限', width: 150 },
      { name: 'shipDeadlineText', label: '发货时限', width: 150 },
      { name: 'waybills', label: '运单', width: 160 },
      { name: 'supplierOrderNo', label: '供应商单号', width: 150 },
      { name: 'createdAtText', label: '分配时间', width: 150, sortable: true },
    ],
    row: {
      width: 170,
      buttons: [
        opens(fulfilmentWindows.view, '查看'),
        opens(fulfilmentWindows.ship, '发货', { visibleOn: "${state == 'WAIT_SHIP' || state == 'PART_SHIPPED'}" }),
        act('accept', '代接单', { confirmText: '确定要代供应商接单吗?' }),
        {
          type: 'dropdown-button',
          label: '更多',
          level: 'link',
          buttons: [
            act('push', '推送', { confirmText: '确定要推送给供应商吗?' }),
            act('askResult', '查询结果'),
            withOpinion('reject', '代拒单', '拒单原因'),
            withOpinion('withdraw', '撤回', '撤回原因'),
            act('confirmCancel', '确认取消', { confirmText: '确认供应商已取消该履约单?' }),
            withOpinion('refuseCancel', '拒绝取消', '原因'),
            opens(fulfilmentWindows.picking, '打印拣货单'),
          ],
        },
      ],
    },
  }),
};

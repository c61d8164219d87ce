import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { allows, choices, listPage, type Part } from '#kernel/server/datasets/pageParts.ts';
import { carriers, trackStates } from '../../contract/orderDictionaries.ts';
import { fulfilmentWindows } from '../../contract/pageWindows.ts';

const PARCELS = 'logistics';
const act = (code: string, label: string, more: Part = {}): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  actionType: 'ajax',
  api: { url: `/ds/${PARCELS}/action.${code}`, data: { key: '${id}', version: '${version}' } },
  reload: 'parcels',
  ...more,
});

/** /logistics 物流查询. */
export const logisticsPage: BuiltinPage = {
  token: 'logistics',
  description: '包裹的物流轨迹：按运单查询、查看停滞包裹、刷新与重新订阅、登记退回、转异常工单',
  definition: listPage({
    name: 'parcels',
    dataset: PARCELS,
    placeholder: '没有符合条件的包裹',
    search: [
      [
        { type: 'textarea', name: 'waybillNo', label: '运单号', placeholder: '可粘贴多个，每行一个，最多100个', minRows: 1, maxRows: 4 },
        choices('carrierCode', '快递公司', carriers),
        { type: 'input-text', name: 'orderNo', label: '订单号', placeholder: '完整订单号', clearable: true },
      ],
      [
        choices('trackState', '物流状态', trackStates),
        { type: 'input-number', name: 'stalledHours', label: '停滞小时≥', min: 1, max: 9_999, precision: 0 },
        { type: 'input-text', name: 'fulfilmentNo', label: '履约单号', placeholder: '完整履约单号', clearable: true },
      ],
    ],
    columns: [
      { name: 'waybillNo', label: '运单号', width: 170, sortable: true, fixed: 'left' },
      { name: 'carrierCodeText', label: '快递公司', width: 100 },
      { name: 'trackStateText', label: '物流状态', width: 90 },
      { name: 'orderNo', label: '订单号', width: 170 },
      { name: 'supplierName', label: '供应商', width: 150 },
      { name: 'lastNode', label: '最新节点', width: 200 },
      { name: 'lastNodeAtText', label: '最后更新', width: 150 },
      { name: 'stalledHours', label: '停滞时长（小时）', width: 120, align: 'right' },
      { name: 'tripHours', label: '时效（小时）', width: 100, align: 'right' },
      { name: 'shippedAtText', label: '发货时间', width: 150, sortable: true },
      { name: 'fulfilmentNo', label: '履约单号', width: 170 },
      { name: 'subscribedText', label: '已订阅', width: 80 },
    ],
    row: {
      width: 180,
      buttons: [
        { type: 'kq-window', window: fulfilmentWindows.parcel.name, label: '轨迹', record: 'id', level: 'link', reload: 'parcels' },
        act('refresh', '刷新'),
        act('subscribe', '重新订阅', { confirmText: '确定要重新订阅该运单的轨迹吗?' }),
      ],
    },
  }),
};

import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { listPage } from '#kernel/server/datasets/pageParts.ts';
import { fulfilmentWindows } from '../../contract/pageWindows.ts';

/** /bulkDelivery 批量发货. */
export const bulkDeliveryPage: BuiltinPage = {
  token: 'bulkDelivery',
  description: '按供应商导入发货表格：校验、预览、提交，24小时内可整批撤销',
  definition: listPage({
    name: 'bulkParcels',
    dataset: 'bulkDelivery',
    placeholder: '还没有批量发货记录',
    search: [
      [
        { type: 'input-text', name: 'batchNo', label: '导入批次', placeholder: '完整导入批次', clearable: true },
        { type: 'input-text', name: 'waybillNo', label: '运单号', placeholder: '完整运单号', clearable: true },
        { type: 'input-text', name: 'fulfilmentNo', label: '履约单号', placeholder: '完整履约单号', clearable: true },
      ],
      [{ type: 'kq-picker', name: 'supplierId', label: '供应商', dataset: 'bulkDelivery', options: 'supplier' }],
    ],
    toolbar: [{ type: 'kq-window', window: fulfilmentWindows.bulk.name, label: '批量发货', level: 'primary', reload: 'bulkParcels' }],
    columns: [
      { name: 'batchNo', label: '导入批次', width: 170, fixed: 'left' },
      { name: 'waybillNo', label: '运单号', width: 170 },
      { name: 'carrierCodeText', label: '快递公司', width: 100 },
      { name: 'fulfilmentNo', label: '履约单号', width: 170 },
      { name: 'orderNo', label: '订单号', width: 170 },
      { name: 'supplierName', label: '供应商', width: 150 },
      { name: 'goodsText', label: '药品×数量', width: 220 },
      { name: 'shippedAtText', label: '发货时间', width: 150 },
      { name: 'createdAtText', label: '登记时间', width: 150, sortable: true },
      { name: 'isUndoneText', label: '已撤销', width: 80 },
    ],
    row: {
      width: 80,
      buttons: [
        {
          type: 'kq-window',
          window: fulfilmentWindows.parcel.name,
          label: '轨迹',
          record: 'id',
          level: 'link',
          reload: 'bulkParcels',
          visibleOn: '${!isUndone}',
        },
      ],
    },
  }),
};

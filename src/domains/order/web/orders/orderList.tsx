import { yuan } from '#kernel/contract/money.ts';
import { send } from '#kernel/web/http/client.ts';
import { SupplierSelect } from '../fulfilment/SupplierSelect.tsx';
import { StoreSelect } from '../selects.tsx';
import { InsurerPicker } from '#kernel/web/kit/pickers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryOrderList, revealOrder, type ORDER_SECRETS, type OrderRow } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { Stuck, stuckText } from './Stuck.tsx';

export const reveal = (field: (typeof ORDER_SECRETS)[number]) => async (row: { id: string }) =>
  (await send(revealOrder, { id: row.id, field })).value ?? '';

/** How the amount is covered, the parts of nothing left out. */
const coverText = ({ couponFen, benefitFen, cardFen, selfPayFen }: OrderRow): string =>
  (
    [
      ['直付', benefitFen],
      ['卡', cardFen],
      ['券', couponFen],
      ['自付', selfPayFen],
    ] as const
  )
    .filter(([, fen]) => fen > 0)
    .map(([label, fen]) => `${label}${yuan(fen, true)}`)
    .join(' ');

export const orderList = resource(queryOrderList, {
  routeKey: 'orderManagement',
  empty: '没有符合条件的订单，请调整筛选条件',
  filters: [
    'orderNo',
    { name: 'patientKeyword', placeholder: '完整姓名、手机号或证件号' },
    'bizLine',
    'orderType',
    'origin',
    'productCode',
    { kind: 'picker', name: 'insurerId', picker: InsurerPicker },
    { kind: 'picker', name: 'drugstoreId', picker: StoreSelect },
    { kind: 'picker', name: 'supplierId', picker: SupplierSelect },
    'goodsCode',
    { kind: 'days', names: ['createdFrom', 'createdTo'], label: '下单时间' },
    { kind: 'days', names: ['paidFrom', 'paidTo'], label: '支付时间' },
    'onlyException',
    'overSla',
  ],
  columns: [
    { key: 'orderNo', required: true },
    { key: 'buyerName', masked: { permission: may['order.reveal'], reveal: reveal('buyerName') } },
    'goodsText',
    'payableFen',
    { key: 'cover', title: '支付构成', kind: 'custom', width: 210, value: coverText, render: (row: OrderRow) => coverText(row) },
    { key: 'state', width: 100, render: (row: OrderRow) => <Dict of={orderMachine.dictionary} code={row.state} /> },
    { key: 'stuck', title: '卡在哪', kind: 'custom', width: 150, value: stuckText, render: (row: OrderRow) => <Stuck row={row} /> },
    'sellerName',
    'orderType',
    'bizLine',
    'createdAt',
    { key: 'buyerMobile', masked: { permission: may['order.reveal'], reveal: reveal('buyerMobile') }, hidden: true },
    { key: 'outerNo', hidden: true },
    { key: 'origin', hidden: true },
    { key: 'refundedFen', hidden: true },
    { key: 'paidAt', hidden: true },
    { key: 'holder', hidden: true },
  ],
});

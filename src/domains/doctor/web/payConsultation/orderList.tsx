import { yuan } from '#kernel/contract/money.ts';
import { send } from '#kernel/web/http/client.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import {
  queryPayConsultationDetail,
  queryPayConsultationList,
  queryPayConsultationSum,
  revealPayConsultation,
  type ConsultOrderRow,
} from '../../contract/calls/consultOrders.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { channelFilter } from '../services/onDemand.tsx';
import { Countdown } from './Countdown.tsx';

export const refreshes = [queryPayConsultationList, queryPayConsultationSum, queryPayConsultationDetail];
export const reveal = (field: 'patientName' | 'patientMobile') => async (row: { id: string }) =>
  (await send(revealPayConsultation, { id: row.id, field })).value ?? '';
const flags: Readonly<Record<string, string>> = { AMOUNT: '金额不符', LATE: '关单后到账', TWICE: '重复到账' };

export const orderList = resource(queryPayConsultationList, {
  routeKey: 'payConsultation',
  empty: '没有符合条件的付费咨询，请调整筛选条件',
  filters: [
    'orderNo',
    { name: 'doctorName', placeholder: '姓名、拼音或编号' },
    { name: 'patientMobile', placeholder: '完整手机号' },
    'itemType',
    channelFilter,
    { kind: 'instants', names: ['paidFrom', 'paidTo'], label: '支付时间' },
    'payFenFrom',
    'payFenTo',
  ],
  columns: [
    { key: 'orderNo', width: 176, required: true },
    { key: 'patientName', width: 110, masked: { permission: may['sensitive.reveal'], reveal: reveal('patientName') } },
    { key: 'patientMobile', masked: { permission: may['sensitive.reveal'], reveal: reveal('patientMobile') }, hidden: true },
    { key: 'doctorName', width: 100, required: true },
    { key: 'itemName', width: 130 },
    {
      key: 'channelOrVip',
      title: '渠道/VIP',
      kind: 'custom',
      width: 180,
      render: (row: ConsultOrderRow) => (
        <span title={row.channelName ?? ''}>
          {row.discountSource === 'VIP' && <b className="kq-dict kq-dict-warning">VIP</b>} {row.channelName ?? '自然流量'}
          {row.budgetUsedUp && <span className="kq-danger"> 预算已用完</span>}
        </span>
      ),
    },
    {
      key: 'money',
      title: '原价/优惠/实付（元）',
      width: 190,
      align: 'right',
      value: (row: ConsultOrderRow) => `${yuan(row.priceFen)} / ${yuan(row.discountFen)} / ${yuan(row.payFen)}`,
    },
    {
      key: 'state',
      width: 150,
      render: (row: ConsultOrderRow) => (
        <span>
          <Dict of={consultOrderMachine.dictionary} code={row.state} />
          {row.payFlag && <span className="kq-danger"> {flags[row.payFlag]}</span>}
          {row.state === 'WAIT_PAY' && row.payResult === 'UNKNOWN' && <span className="kq-danger"> 结果未知</span>}
          {row.refund?.state === 'UNKNOWN' && <span className="kq-danger"> 退款未知</span>}
        </span>
      ),
    },
    { key: 'countdown', title: '倒计时', kind: 'custom', width: 150, render: (row: ConsultOrderRow) => <Countdown row={row} /> },
    { key: 'assistantName', width: 90 },
    'paidAt',
    { key: 'refundedFen', width: 100 },
    { key: 'slotAt', hidden: true },
    { key: 'createdAt', hidden: true },
  ],
});

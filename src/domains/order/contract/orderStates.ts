import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: edit } = may['order.edit'];
const { code: cancel } = may['order.cancel'];
const { code: rx } = may['rx.audit'];
const system = { permission: 'system', opinion: 'none' } as const;
const BEFORE_PARCELS = ['PENDING_RX', 'PENDING_PAYMENT', 'INTERCEPTED', 'PENDING_ALLOCATION', 'FULFILLING'] as const;

/** An order from its prescription over its payment to the last box; the parts that suppliers ship are documents of their own. */
export const orderMachine = stateMachine(
  'order.order',
  {
    PENDING_RX: { label: '待审方', tone: 'warning' },
    PENDING_PAYMENT: { label: '待支付', tone: 'warning' },
    INTERCEPTED: { label: '已拦截', tone: 'warning' },
    PENDING_ALLOCATION: { label: '待分配', tone: 'warning' },
    FULFILLING: { label: '履约中', tone: 'processing' },
    COMPLETED: { label: '已完成', tone: 'success' },
    CANCELLED: { label: '已取消' },
    CLOSED: { label: '已退款关闭', tone: 'error' },
  },
  {
    create: { label: '下单', from: ['PENDING_RX', 'PENDING_PAYMENT'], ...system },
    passRx: { label: '审方通过', from: ['PENDING_RX'], to: 'PENDING_PAYMENT', permission: rx, opinion: 'optional' },
    failRx: { label: '审方不通过', from: ['PENDING_RX'], to: 'CANCELLED', permission: rx, opinion: 'required', danger: true },
    payDiffers: { label: '支付金额不符', from: ['PENDING_PAYMENT'], permission: 'system', opinion: 'optional' },
    cardFails: { label: '扣卡失败', from: ['PENDING_PAYMENT'], permission: 'system', opinion: 'optional' },
    retryCards: { label: '重新扣卡', from: ['PENDING_PAYMENT'], permission: may['exception.handle'].code, opinion: 'none' },
    pay: { label: '支付成功', from: ['PENDING_PAYMENT'], to: 'PENDING_ALLOCATION', ...system },
    payService: { label: '支付成功', from: ['PENDING_PAYMENT'], to: 'FULFILLING', ...system },
    payAtStore: { label: '支付成功', from: ['PENDING_PAYMENT'], to: 'COMPLETED', ...system },
    expire: { label: '超时未支付', from: ['PENDING_PAYMENT'], to: 'CANCELLED', ...system },
    editAddress: {
      label: '修改地址',
      from: ['PENDING_RX', 'PENDING_PAYMENT', 'INTERCEPTED', 'PENDING_ALLOCATION', 'FULFILLING'],
      permission: edit,
      opinion: 'none',
    },
    remark: {
      label: '备注',
      from: [...BEFORE_PARCELS, 'COMPLETED', 'CANCELLED', 'CLOSED'],
      permission: edit,
      opinion: 'none',
    },
    allocate: { label: '分配供应商', from: ['PENDING_ALLOCATION'], to: 'FULFILLING', ...system },
    recall: { label: '退回待分配', from: ['FULFILLING'], to: 'PENDING_ALLOCATION', permission: 'system', opinion: 'optional' },
    complete: { label: '完成', from: ['FULFILLING'], to: 'COMPLETED', ...system },
    close: { label: '全部退款', from: ['FULFILLING', 'COMPLETED'], to: 'CLOSED', ...system },
    cancel: { label: '取消订单', from: [...BEFORE_PARCELS], to: 'CANCELLED', permission: cancel, opinion: 'required', danger: true },
    cancelBySystem: { label: '取消订单', from: [...BEFORE_PARCELS], to: 'CANCELLED', permission: 'system', opinion: 'optional' },
  },
);
export type OrderState = keyof typeof orderMachine.states & string;
export type OrderAction = keyof typeof orderMachine.transitions & string;

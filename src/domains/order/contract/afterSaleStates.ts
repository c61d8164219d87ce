import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderErrors } from './errors.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: make } = may['afterSale.make'];
const { code: audit } = may['afterSale.audit'];
const { code: auditHigh } = may['afterSale.auditHigh'];
const { code: inspect } = may['afterSale.inspect'];
const system = { permission: 'system', opinion: 'none' } as const;
const anotherPerson = { otherThan: orderErrors.OWN_DOCUMENT } as const;

/** A return, or what a cancelled order gives back. */
export const afterSaleMachine = stateMachine(
  'order.afterSale',
  {
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    WAIT_RETURN: { label: '待寄回', tone: 'processing' },
    INSPECTING: { label: '待验货', tone: 'warning' },
    REFUNDING: { label: '退款中', tone: 'processing', job: true },
    REFUNDED: { label: '已退款' },
    REFUSED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤销' },
  },
  {
    openByCancel: { label: '取消订单退款', from: ['REFUNDING'], ...system },
    open: { label: '发起售后', from: ['PENDING_AUDIT'], permission: make, opinion: 'none' },
    approve: { label: '审核通过', from: ['PENDING_AUDIT'], to: 'REFUNDING', permission: audit, opinion: 'optional', ...anotherPerson },
    approveReturn: {
      label: '审核通过，待寄回',
      from: ['PENDING_AUDIT'],
      to: 'WAIT_RETURN',
      permission: audit,
      opinion: 'optional',
      ...anotherPerson,
    },
    approveHigh: {
      label: '大额审核通过',
      from: ['PENDING_AUDIT'],
      to: 'REFUNDING',
      permission: auditHigh,
      opinion: 'optional',
      ...anotherPerson,
    },
    approveHighReturn: {
      label: '大额审核通过，待寄回',
      from: ['PENDING_AUDIT'],
      to: 'WAIT_RETURN',
      permission: auditHigh,
      opinion: 'optional',
      ...anotherPerson,
    },
    refuse: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REFUSED',
      permission: audit,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    refuseHigh: {
      label: '大额驳回',
      from: ['PENDING_AUDIT'],
      to: 'REFUSED',
      permission: auditHigh,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    receive: { label: '确认收货', from: ['WAIT_RETURN'], to: 'INSPECTING', permission: inspect, opinion: 'optional' },
    inspectPass: { label: '验货通过', from: ['INSPECTING'], to: 'REFUNDING', permission: inspect, opinion: 'optional' },
    inspectFail: { label: '验货不通过', from: ['INSPECTING'], to: 'REFUSED', permission: inspect, opinion: 'required', danger: true },
    cancel: {
      label: '撤销售后',
      from: ['PENDING_AUDIT', 'WAIT_RETURN'],
      to: 'CANCELLED',
      permission: make,
      opinion: 'required',
      danger: true,
    },
    confirmCounter: { label: '登记门店已退款', from: ['REFUNDING'], permission: inspect, opinion: 'required' },
    refundDone: { label: '退款完成', from: ['REFUNDING'], to: 'REFUNDED', ...system },
  },
);
export type AfterSaleAction = keyof typeof afterSaleMachine.transitions & string;
/** Nothing has been decided, or nothing has come back yet. */
export const OPEN_AFTER_SALES = ['PENDING_AUDIT', 'WAIT_RETURN', 'INSPECTING'] as const;

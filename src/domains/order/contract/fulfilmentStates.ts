import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: assign } = may['allocation.assign'];
const { code: push } = may['fulfilment.push'];
const { code: ship } = may['fulfilment.ship'];
const { code: undo } = may['fulfilment.undoShip'];
const { code: operate } = may['supplier.operate'];
const system = { permission: 'system', opinion: 'optional' } as const;
const refusing = { label: '拒绝取消', from: ['CANCELLING'], permission: operate, opinion: 'required' } as const;

/** The part of an order that one supplier brings, from the push over his word to the signature. */
export const fulfilmentMachine = stateMachine(
  'order.fulfilment',
  {
    WAIT_PUSH: { label: '待推送' },
    WAIT_ACCEPT: { label: '待接单', tone: 'processing' },
    WAIT_SHIP: { label: '待发货', tone: 'processing' },
    WAIT_PICKUP: { label: '待自提', tone: 'processing' },
    PART_SHIPPED: { label: '部分发货', tone: 'processing' },
    SHIPPED: { label: '已发货', tone: 'processing' },
    SIGNED: { label: '已签收', tone: 'success' },
    REJECTED: { label: '已拒单', tone: 'error' },
    CANCELLING: { label: '取消中', tone: 'warning' },
    CANCELLED: { label: '已取消' },
    RETURNED: { label: '已退回', tone: 'error' },
  },
  {
    create: { label: '生成履约单', from: ['WAIT_PUSH'], ...system },
    push: { label: '推送', from: ['WAIT_PUSH'], to: 'WAIT_ACCEPT', permission: push, opinion: 'none' },
    pushUnanswered: { label: '推送结果未知', from: ['WAIT_PUSH'], ...system },
    pushFails: { label: '推送失败', from: ['WAIT_PUSH'], ...system },
    accept: { label: '接单', from: ['WAIT_ACCEPT'], to: 'WAIT_SHIP', permission: operate, opinion: 'none' },
    acceptPickup: { label: '接单', from: ['WAIT_ACCEPT'], to: 'WAIT_PICKUP', permission: operate, opinion: 'none' },
    reject: {
      label: '拒单',
      from: ['WAIT_ACCEPT', 'WAIT_SHIP'],
      to: 'REJECTED',
      permission: operate,
      opinion: 'required',
      danger: true,
    },
    withdraw: { label: '撤回', from: ['WAIT_PUSH'], to: 'CANCELLED', permission: assign, opinion: 'required', danger: true },
    requestCancel: {
      label: '撤回',
      from: ['WAIT_ACCEPT', 'WAIT_SHIP', 'WAIT_PICKUP'],
      to: 'CANCELLING',
      permission: assign,
      opinion: 'required',
      danger: true,
    },
    confirmCancel: { label: '确认取消', from: ['CANCELLING'], to: 'CANCELLED', permission: operate, opinion: 'none' },
    keepAccept: { ...refusing, to: 'WAIT_ACCEPT' },
    keepShip: { ...refusing, to: 'WAIT_SHIP' },
    keepPickup: { ...refusing, to: 'WAIT_PICKUP' },
    shipPart: { label: '部分发货', from: ['WAIT_SHIP', 'PART_SHIPPED'], to: 'PART_SHIPPED', permission: ship, opinion: 'none' },
    ship: { label: '发货', from: ['WAIT_SHIP', 'PART_SHIPPED'], to: 'SHIPPED', permission: ship, opinion: 'none' },
    undoShip: {
      label: '撤销发货',
      from: ['PART_SHIPPED', 'SHIPPED'],
      to: 'WAIT_SHIP',
      permission: undo,
      opinion: 'required',
      danger: true,
    },
    undoPart: {
      label: '撤销部分发货',
      from: ['PART_SHIPPED', 'SHIPPED'],
      to: 'PART_SHIPPED',
      permission: undo,
      opinion: 'required',
      danger: true,
    },
    sign: { label: '确认签收', from: ['SHIPPED'], to: 'SIGNED', permission: ship, opinion: 'optional' },
    pickUp: { label: '确认自提', from: ['WAIT_PICKUP'], to: 'SIGNED', permission: ship, opinion: 'optional' },
    markReturned: { label: '登记退回', from: ['SHIPPED'], to: 'RETURNED', permission: ship, opinion: 'required', danger: true },
  },
);
type FulfilmentState = keyof typeof fulfilmentMachine.states & string;
export type FulfilmentAction = keyof typeof fulfilmentMachine.transitions & string;

/** A supplier still has something to do. */
export const LIVE = [
  'WAIT_PUSH',
  'WAIT_ACCEPT',
  'WAIT_SHIP',
  'WAIT_PICKUP',
  'PART_SHIPPED',
  'SHIPPED',
  'CANCELLING',
] as const satisfies readonly FulfilmentState[];

/** What is offered of the moves that one button stands for, by what is known of the part. */
export interface Offered {
  state: FulfilmentState;
  way: 'SHIP' | 'PICKUP';
  pushState: 'NONE' | 'SENT' | 'UNKNOWN' | 'FAILED';
  stateBeforeCancel: string | null;
}
const KEPT: Readonly<Record<string, FulfilmentAction>> = { WAIT_ACCEPT: 'keepAccept', WAIT_SHIP: 'keepShip', WAIT_PICKUP: 'keepPickup' };
export const keptAction = (stateBeforeCancel: string | null): FulfilmentAction => KEPT[stateBeforeCancel ?? ''] ?? 'keepAccept';
export const acceptAction = (way: Offered['way']) => (way === 'PICKUP' ? 'acceptPickup' : 'accept');

/** Exactly the acts that somebody may take of a part now. */
export const offeredFulfilmentActions = (part: Offered, may: (permission: string) => boolean): FulfilmentAction[] =>
  fulfilmentMachine.allowed(part.state, may).filter((action) => {
    if (action === 'accept' || action === 'acceptPickup') return action === acceptAction(part.way);
    if (action.startsWith('keep')) return action === keptAction(part.stateBeforeCancel);
    if (action === 'push' || action === 'withdraw') return part.pushState !== 'UNKNOWN';
    return action !== 'shipPart' && action !== 'undoPart';
  });

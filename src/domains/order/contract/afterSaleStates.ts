import { stateMachine } from '#kernel/contract/stateMachine.ts';

const system = { permission: 'system', opinion: 'none' } as const;

/** A return, or what a cancelled order gives back. */
export const afterSaleMachine = stateMachine(
  'order.afterSale',
  {
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    WAIT_RETURN: { label: '待寄回', tone: 'processing' },
    INSPECTING: { label: '待验货', tone: 'warning' },
    REFUNDING: { label: '退款中', tone: 'processing' },
    REFUNDED: { label: '已退款' },
    RESHIPPED: { label: '已补发', tone: 'success' },
    REFUSED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤销' },
  },
  {
    openByCancel: { label: '取消订单退款', from: ['REFUNDING'], ...system },
    refundDone: { label: '退款完成', from: ['REFUNDING'], to: 'REFUNDED', ...system },
  },
);
export type AfterSaleAction = keyof typeof afterSaleMachine.transitions & string;

import { stateMachine } from '#kernel/contract/stateMachine.ts';

const approve = { permission: 'card.change.approve', opinion: 'optional' } as const;

export const cardMachine = stateMachine(
  'card.card',
  {
    CREATED: { label: '已生成' },
    IN_STOCK: { label: '在库' },
    ISSUED: { label: '待激活', tone: 'warning' },
    ACTIVE: { label: '使用中', tone: 'success' },
    FROZEN: { label: '已冻结', tone: 'warning' },
    DEPLETED: { label: '已用完' },
    EXPIRED: { label: '已过期' },
    VOIDED: { label: '已作废' },
    REPLACED: { label: '已换卡' },
  },
  {
    activate: { label: '激活', from: ['ISSUED'], to: 'ACTIVE', permission: 'card.card.activate', opinion: 'none' },
    // The holder himself, with his secret, over the gateway.
    bind: { label: '持卡人激活', from: ['ISSUED'], to: 'ACTIVE', permission: 'system', opinion: 'none' },
    freeze: { label: '冻结', from: ['ISSUED', 'ACTIVE'], to: 'FROZEN', permission: 'card.card.freeze', opinion: 'required', danger: true },
    unfreeze: { label: '解冻', from: ['FROZEN'], to: 'ACTIVE', permission: 'card.card.freeze', opinion: 'required' },
    // The same act on a card that was not activated when it was frozen.
    unfreezeIssued: { label: '解冻', from: ['FROZEN'], to: 'ISSUED', permission: 'card.card.freeze', opinion: 'required' },
    freezeByEvent: { label: '自动冻结', from: ['ISSUED', 'ACTIVE'], to: 'FROZEN', permission: 'system', opinion: 'optional' },
    unfreezeByEvent: { label: '自动解冻', from: ['FROZEN'], to: 'ACTIVE', permission: 'system', opinion: 'optional' },
    unfreezeIssuedByEvent: { label: '自动解冻', from: ['FROZEN'], to: 'ISSUED', permission: 'system', opinion: 'optional' },
    resetSecret: { label: '重置卡密', from: ['ISSUED', 'ACTIVE', 'FROZEN'], permission: 'card.secret.reset', opinion: 'required' },
    void: { label: '作废', from: ['IN_STOCK', 'ISSUED', 'ACTIVE', 'FROZEN'], to: 'VOIDED', ...approve, danger: true },
    replace: { label: '换卡', from: ['ACTIVE', 'FROZEN'], to: 'REPLACED', ...approve },
    // What comes out of the stock in place of another card.
    takeOver: { label: '换卡启用', from: ['IN_STOCK'], to: 'ACTIVE', ...approve },
    extend: { label: '延期', from: ['ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED'], ...approve },
    reopen: { label: '延期恢复', from: ['EXPIRED'], to: 'ACTIVE', ...approve },
    adjust: { label: '调账', from: ['ACTIVE', 'FROZEN', 'DEPLETED'], ...approve },
    rebind: { label: '更换手机号', from: ['ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED'], ...approve },
  },
);
export type CardState = keyof typeof cardMachine.states;
export type CardAction = keyof typeof cardMachine.transitions;

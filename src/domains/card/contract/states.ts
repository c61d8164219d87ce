import { stateMachine } from '../../../kernel/contract/stateMachine.ts';

export const cardMachine = stateMachine(
  'card.card',
  {
    CREATED: { label: '已生成', tone: 'default' },
    IN_STOCK: { label: '在库', tone: 'default' },
    ISSUED: { label: '待激活', tone: 'processing' },
    ACTIVE: { label: '使用中', tone: 'success' },
    FROZEN: { label: '已冻结', tone: 'warning' },
    DEPLETED: { label: '已用完', tone: 'default' },
    EXPIRED: { label: '已过期', tone: 'default' },
    VOIDED: { label: '已作废', tone: 'error' },
    REPLACED: { label: '已换卡', tone: 'default' },
  },
  {},
);

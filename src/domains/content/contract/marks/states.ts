import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { markPermissions as may } from './permissions.ts';

const states = { ENABLED: { label: '启用', tone: 'success' }, DISABLED: { label: '停用' } } as const;
const permission = may['mark.edit'].code;
const moves = {
  modify: { label: '修改', from: ['ENABLED', 'DISABLED'], permission, opinion: 'none' },
  disable: { label: '停用', from: ['ENABLED'], to: 'DISABLED', permission, opinion: 'none', danger: true },
  enable: { label: '启用', from: ['DISABLED'], to: 'ENABLED', permission, opinion: 'none' },
} as const;

export const tagGroupStates = stateMachine('content.tagGroup', states, moves);
export const markStates = stateMachine('content.mark', states, moves);

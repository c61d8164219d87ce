import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: handle } = may['exception.handle'];
const { code: ignore } = may['exception.ignore'];

/** What of an order no rule could finish, until somebody did or its cause went away. */
export const exceptionMachine = stateMachine(
  'order.exception',
  {
    OPEN: { label: '待处理', tone: 'warning' },
    HANDLING: { label: '处理中', tone: 'processing' },
    RESOLVED: { label: '已解决', tone: 'success' },
    IGNORED: { label: '已忽略' },
  },
  {
    open: { label: '产生', from: ['OPEN'], permission: 'system', opinion: 'optional' },
    claim: { label: '领取', from: ['OPEN'], to: 'HANDLING', permission: handle, opinion: 'none' },
    transfer: { label: '转交', from: ['HANDLING'], permission: handle, opinion: 'required', handsOver: true },
    resolve: { label: '解决', from: ['HANDLING'], to: 'RESOLVED', permission: handle, opinion: 'required' },
    ignore: { label: '忽略', from: ['OPEN', 'HANDLING'], to: 'IGNORED', permission: ignore, opinion: 'required', danger: true },
    recover: { label: '自动恢复', from: ['OPEN', 'HANDLING'], to: 'RESOLVED', permission: 'system', opinion: 'optional' },
  },
);

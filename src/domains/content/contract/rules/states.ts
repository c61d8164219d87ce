import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { rulePermissions as may } from './permissions.ts';

const permission = may['mark.rule'].code;

/** What changes in a rule that is out of action must be tried and published again. */
export const ruleStates = stateMachine(
  'content.markRule',
  {
    DRAFT: { label: '草稿' },
    RUNNING: { label: '运行中', tone: 'success' },
    PAUSED: { label: '已暂停', tone: 'warning' },
    ENDED: { label: '已结束' },
  },
  {
    modify: { label: '修改', from: ['DRAFT', 'PAUSED'], to: 'DRAFT', permission, opinion: 'none' },
    dryRun: { label: '试运行', from: ['DRAFT', 'RUNNING', 'PAUSED'], permission, opinion: 'none' },
    // Whoever supervises may publish too: the handler asks for one of the two rights.
    publish: { label: '发布', from: ['DRAFT'], to: 'RUNNING', permission: 'session', opinion: 'none' },
    run: { label: '立即执行', from: ['RUNNING'], permission, opinion: 'none' },
    pause: { label: '暂停', from: ['RUNNING'], to: 'PAUSED', permission, opinion: 'none' },
    resume: { label: '恢复', from: ['PAUSED'], to: 'RUNNING', permission, opinion: 'none' },
    end: { label: '结束', from: ['RUNNING', 'PAUSED'], to: 'ENDED', permission, opinion: 'none', danger: true },
    finish: { label: '执行完毕', from: ['RUNNING'], to: 'ENDED', permission: 'system', opinion: 'none' },
  },
);

import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';

export const replayStates = stateMachine(
  'insurance.ruleReplay',
  {
    QUEUED: { label: '排队中', job: true },
    RUNNING: { label: '回放中', tone: 'processing', job: true },
    DONE: { label: '已完成', tone: 'success' },
    FAILED: { label: '失败', tone: 'error' },
    CANCELLED: { label: '已取消' },
  },
  {
    cancel: {
      label: '取消回放',
      from: ['QUEUED', 'RUNNING'],
      to: 'CANCELLED',
      permission: 'insurance.replay.run',
      opinion: 'none',
      danger: true,
    },
  },
);
export const replayVerdicts = dictionary('insurance.replayVerdict', {
  EXPECTED: { label: '符合预期', tone: 'success' },
  UNEXPECTED: { label: '不符合预期', tone: 'error' },
});

export const replayDictionaries = [replayStates.dictionary, replayVerdicts];

import { dictionary } from '#kernel/contract/dictionary.ts';

export const ruleSchedules = dictionary('content.ruleSchedule', { EVENT: '实时', DAILY: '每日03:00', ONCE: '一次' });
export const runKinds = dictionary('content.ruleRunKind', { DRY: '试运行', RUN: '执行' });

export const runStates = dictionary('content.markRuleRun', {
  RUNNING: { label: '执行中', tone: 'processing', job: true },
  DONE: { label: '已完成', tone: 'success' },
  FAILED: { label: '失败', tone: 'error' },
  ABORTED: { label: '已中止', tone: 'warning' },
});

export const ruleDictionaries = [ruleSchedules, runKinds, runStates];

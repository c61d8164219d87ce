import { dictionary } from '#kernel/contract/dictionary.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { hours, minutes } from '#kernel/contract/time.ts';
import { corpusPermissions } from '../permissions.ts';

const { 'task.handle': handle, 'task.assign': assign } = corpusPermissions;

export const taskMachine = stateMachine(
  'corpus.followTask',
  {
    TODO: { label: '待处理', tone: 'warning' },
    DOING: { label: '处理中', tone: 'processing' },
    DONE: { label: '已完成', tone: 'success' },
    CLOSED: { label: '已关闭' },
  },
  {
    raise: { label: '生成任务', from: ['TODO'], permission: 'system', opinion: 'none' },
    claim: { label: '领取', from: ['TODO'], to: 'DOING', permission: handle.code, opinion: 'none' },
    assign: { label: '分派', from: ['TODO', 'DOING'], to: 'DOING', permission: assign.code, opinion: 'none' },
    complete: { label: '完成', from: ['DOING'], to: 'DONE', permission: handle.code, opinion: 'none' },
    reschedule: { label: '改期', from: ['DOING'], permission: handle.code, opinion: 'none' },
    close: { label: '关闭', from: ['TODO', 'DOING'], to: 'CLOSED', permission: handle.code, opinion: 'required', danger: true },
    settle: { label: '已有人回复，关闭', from: ['TODO', 'DOING'], to: 'CLOSED', permission: 'system', opinion: 'none' },
    lose: { label: '多次未接通，关闭', from: ['DOING'], to: 'CLOSED', permission: 'system', opinion: 'none' },
  },
);
export const TASK_TARGET = 'corpus.followTask';

export const taskSource = dictionary('corpusTaskSource', { SEND: '随访消息', ANSWER: '问卷', RUN: '随访实例', MANUAL: '人工' });
export type TaskSource = (typeof taskSource.codes)[number];

export const taskType = dictionary('corpusTaskType', {
  CALL: '电话随访',
  FORM: '问卷催填',
  REPLY: '待人工回复',
  ALERT: { label: '异常指标', tone: 'warning' },
  AE: { label: '不良反应上报', tone: 'error' },
  SEND_FAIL: '发送失败处理',
});
export type TaskType = (typeof taskType.codes)[number];

export const taskLevel = dictionary('corpusTaskLevel', {
  HIGH: { label: '高', tone: 'error' },
  MID: { label: '中', tone: 'warning' },
  LOW: '低',
});
export type TaskLevel = (typeof taskLevel.codes)[number];

export const taskResult = dictionary('corpusTaskResult', {
  CONNECTED: { label: '已接通', tone: 'success' },
  NO_ANSWER: { label: '未接通', tone: 'warning' },
  REFUSED: '拒访',
  WRONG_NUMBER: '号码错误',
  RESOLVED: { label: '已处理', tone: 'success' },
  LOST: '失访',
});
export type TaskResult = (typeof taskResult.codes)[number];
/** A call that nobody answered puts a task off, and too many of them end it; neither completes it. */
export const isOutcome = (result: TaskResult): boolean => result !== 'NO_ANSWER' && result !== 'LOST';

export const seriousness = dictionary('corpusAeSeriousness', { GENERAL: '一般', SERIOUS: { label: '严重', tone: 'error' } });

/** A suspected reaction to a medicine is reported within this time. */
export const AE_DUE_MS = hours(24);
/** The last of so many calls that nobody answered ends a task. */
export const MOST_CALLS = 3;
/** 即将超时: what runs out within this time, and what has run out. */
export const SOON_MS = hours(4);

/** How long a task that nobody dated may take. */
export const DUE_MS: Readonly<Record<TaskLevel, number>> = { HIGH: hours(4), MID: hours(24), LOW: hours(72) };
/** A patient who wrote is answered by a person within this time of window hours, else somebody is told to. */
export const REPLY_WAIT_MS = minutes(30);
export const REPLY_DUE_MS = hours(1);

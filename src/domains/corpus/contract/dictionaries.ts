import { dictionary } from '#kernel/contract/dictionary.ts';

/** The configuring half knows the first one only; the others come with publication. */
export const packageState = dictionary('corpusPackageState', {
  UNPUBLISHED: '未发布',
  RUNNING: { label: '运行中', tone: 'success' },
  SUSPENDED: { label: '已停发', tone: 'warning' },
  OFFLINE: '已下线',
});

export const timeOption = dictionary('corpusTimeOption', {
  EVERY_DAY: '每天',
  EVERY_OTHER_DAY: '每隔一天',
  EVERY_TWO_DAYS: '每隔两天',
});
export type TimeOption = (typeof timeOption.codes)[number];

/** In order of urgency. */
export const touchKind = dictionary('corpusTouchKind', {
  MEDICATION: '用药提醒',
  CHECK: '检查提醒',
  REVISIT: '复诊提醒',
  FORM: '问卷',
  SERVICE: '服务通知',
  CARE: '关怀',
  EDUCATION: '科普',
  PROMO: '推广',
});

export type TouchKind = (typeof touchKind.codes)[number];
export const sendTarget = dictionary('corpusSendTarget', { AUTO: '优先群聊', GROUP: '群聊', SINGLE: '单聊' });
export type SendTarget = (typeof sendTarget.codes)[number];

export const playMode = dictionary('corpusPlayMode', { SAME: '每次全部', ROTATE: '依次轮播' });

export const goal = dictionary('corpusGoal', {
  NONE: '不设',
  REPLY: '患者回复',
  FORM_DONE: '完成问卷',
  ORDER_PAID: '购药支付',
  INSPECTION: '上传检查',
  REVISIT: '复诊',
});

export const entryMode = dictionary('corpusEntryMode', { AUTO: '条件自动', MANUAL: '仅人工' });
export const reentry = dictionary('corpusReentry', { NEVER: '不可重复进入', AFTER_DAYS: '结束后N天' });
export const resumeMode = dictionary('corpusResumeMode', { KEEP: '不顺延', SHIFT: '整体顺延' });
export const calendarMode = dictionary('corpusCalendarMode', { EVERY: '每天可发', WORKDAY: '仅工作日' });

/** Whom a condition is about; the digits travel. */
export const roleLabels: Readonly<Record<1 | 2 | 3, string>> = { 1: '患者', 2: '医生', 3: '医助' };
export type Role = keyof typeof roleLabels;
export const roles = [1, 2, 3] as const;

/** 0 group chat, 1 single chat, 2 both. */
export const chatFlagLabels: Readonly<Record<0 | 1 | 2, string>> = { 0: '群', 1: '单', 2: '群+单' };
export type ChatFlag = keyof typeof chatFlagLabels;

export const expTypeLabels: Readonly<Record<1 | 2, string>> = { 1: '启动条件', 2: '停止条件' };
export type ExpType = keyof typeof expTypeLabels;

/** Where a schedule item or cycle of a scene may be sent to. */
export const targetsOf: Readonly<Record<ChatFlag, readonly SendTarget[]>> = {
  0: ['GROUP'],
  1: ['SINGLE'],
  2: ['AUTO', 'GROUP', 'SINGLE'],
};

/** Day ages of a cycle; empty stands for the first 14 days. */
export const ageOptions = [10, 20, 30] as const;
export const DEFAULT_AGE = 14;
export const DEFAULT_AGE_LABEL = '14天以下';

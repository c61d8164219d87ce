import { calendarMode, entryMode, goal, reentry, resumeMode } from './dictionaries.ts';
import type { Policy } from './scenePackageCalls.ts';

/** What each field will do. */
export const policyHelp: Readonly<Record<keyof Policy, string>> = {
  entryMode: '条件自动：启动条件满足时自动进入，至少需要一条生效的启动条件；仅人工：只能由人工加入',
  reentry: '患者结束后能否再次进入；再次进入前，启动条件须曾经不满足',
  reentryDays: '上次结束满这么多天后，才可再次进入',
  priority: '1至9，同一患者消息较多时，数字大的先发',
  pauseOnPatientReply: '患者在会话中发言后，暂停后续消息',
  pauseOnDoctorReply: '医生在会话中发言后，暂停后续消息',
  pauseHours: '从最后一次发言起暂停这么久，再次发言则重新计时',
  resumeMode: '不顺延：按原日期继续，已过期的跳过；整体顺延：暂停几天，后续日期推后几天',
  maxDelayHours: '超过计划时间这么久仍未发出的消息将跳过，不会迟发',
  activeGuardMin: '会话中有人在这么多分钟内发过言，消息推后，不打断交谈；0为不保护',
  recheckLaunch: '开启后，每次发送前启动条件须仍然满足，否则跳过',
  calendarMode: '仅工作日：遇休息日顺延到下一个工作日发送',
  goal: '患者做到即算转化，用于统计效果',
  goalWindowDays: '发送后这么多天内达成，才算由该消息转化',
  endAfterDays: '进入后满这么多天自动结束；不填则发完为止',
  childExclusive: '开启后，同一患者同时只能处于一个子场景，按子场景顺序决定',
};

const dictionaries: Readonly<Record<string, { label(code: string): string }>> = { entryMode, reentry, resumeMode, calendarMode, goal };

/** A value of the policy for people. */
export const policyValue = (name: string, value: unknown): unknown =>
  typeof value === 'string' ? (dictionaries[name]?.label(value) ?? value) : value;

/** The same as one text, for a list of differences. */
export function policyText(name: keyof Policy, value: unknown): string {
  if (typeof value === 'boolean') return value ? '是' : '否';
  return value === null ? '不填' : String(policyValue(name, value));
}

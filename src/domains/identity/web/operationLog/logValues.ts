import type { OutputOf } from '../../../../kernel/contract/call.ts';
import { SUCCESS } from '../../../../kernel/contract/envelope.ts';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import type { queryOperationLogList } from '../../contract/calls/logs.ts';

export type LogRow = OutputOf<typeof queryOperationLogList>;
type Change = LogRow['diff'][number];

/** Kinds of things that the log names, as people call them. */
export const targetNames: Readonly<Record<string, string>> = {
  staffUser: '员工用户',
  session: '会话',
  role: '角色',
  roleConflict: '互斥规则',
  userRole: '任职',
  menu: '菜单',
  securityPolicy: '安全策略',
  notice: '系统公告',
  apiClient: '系统调用方',
  workCalendar: '工作日历',
  logVerifyRun: '校验任务',
  logAnchor: '日志锚点',
  job: '后台任务',
  file: '文件',
  exportTask: '导出任务',
  export: '导出任务',
  importTask: '导入任务',
  disease: '病种',
  scene: '场景',
  childScene: '子场景',
  condition: '启动条件',
};

/** Page on which a target can be looked at. */
const targetPages: Readonly<Record<string, (row: LogRow) => { path: string; search: Readonly<Record<string, string>> } | null>> = {
  staffUser: (row) => (row.targetNo ? { path: '/userManagement', search: { opNo: row.targetNo } } : null),
  role: () => ({ path: '/roleManagement', search: {} }),
  menu: () => ({ path: '/menuManagement', search: {} }),
  notice: () => ({ path: '/menuManagement', search: { tab: 'notices' } }),
  workCalendar: () => ({ path: '/menuManagement', search: { tab: 'calendar' } }),
  apiClient: () => ({ path: '/userManagement', search: { tab: 'clients' } }),
  securityPolicy: () => ({ path: '/userManagement', search: { tab: 'policy' } }),
  logVerifyRun: () => ({ path: '/operationLog', search: { tab: 'chain' } }),
};

export const pageOf = (row: LogRow) => (row.targetType ? (targetPages[row.targetType]?.(row) ?? null) : null);

export const targetText = (row: LogRow): string => {
  if (!row.targetType) return NOTHING;
  const name = targetNames[row.targetType] ?? row.targetType;
  const which = row.targetNo ?? row.targetId ?? '';
  return row.targetCount > 1 ? `${name} ${which} 等${row.targetCount}项` : `${name} ${which}`.trim();
};

/** Who acted: a person, a system caller or a job. */
export const actorText = (row: LogRow): string =>
  row.displayName ? `${row.displayName}${row.opNo ? `（${row.opNo}）` : ''}` : row.apiClientName ? `调用方：${row.apiClientName}` : row.jobName ? '系统任务' : '未登录';

export const showValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '（空）';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.length ? value.map(showValue).join('、') : '（空）';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const changeText = (change: Change): string => `${change.label}：${showValue(change.before)} → ${showValue(change.after)}`;

/** The first two changed fields, and how many more there are. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return NOTHING;
  const first = changes.slice(0, 2).map(changeText).join('；');
  return changes.length > 2 ? `${first} +${changes.length - 2}` : first;
}

export const isSuccess = (row: Pick<LogRow, 'resultCode'>): boolean => row.resultCode === SUCCESS;

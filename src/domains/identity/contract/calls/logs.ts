import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { exportQueued } from '#kernel/contract/exporting.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { cursorPaging, day, flag, id, instant, instantOut, paging, several, text, textOrNull, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trailDifference } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { logKinds, loginAnomalies, loginMethods, loginResults } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { verifyRunStates } from '../states.ts';
import { at, atOrNull } from './shared.ts';

const service = 'OperationLogService';

const logFilter = {
  from: field('开始时间', z.optional(instant)),
  to: field('结束时间', z.optional(instant)),
  userId: field('用户', z.optional(id)),
  /** Name or operator number. */
  operator: z.optional(text('操作人', 20)),
  roleCode: z.optional(text('角色', 32)),
  kind: field('日志类型', z.optional(several(logKinds.schema))),
  call: z.optional(text('操作名称', 100)),
  menuRouteKey: z.optional(text('菜单', 100)),
  targetType: z.optional(text('对象类型', 50)),
  targetId: z.optional(text('对象', 40)),
  targetNo: z.optional(wholeText('对象编号', 50)),
  resultOk: field('结果', z.optional(flag)),
  ip: z.optional(wholeText('IP', 64)),
  traceId: z.optional(wholeText('追踪号', 64)),
};

const shown = (value: unknown) =>
  value === null || value === undefined ? '空' : typeof value === 'string' ? value : JSON.stringify(value);

const logRow = z.strictObject({
  id: field('编号', z.string()),
  at: field('时间', instantOut),
  traceId: field('追踪号', z.string()),
  durationMs: field('耗时（毫秒）', z.number()),
  userId: textOrNull,
  opNo: field('工号', textOrNull),
  displayName: textOrNull,
  roleCode: textOrNull,
  roleName: textOrNull,
  apiClientName: textOrNull,
  jobName: textOrNull,
  menuRouteKey: field('菜单', textOrNull),
  call: z.string(),
  label: field('操作', z.string()),
  kind: field('类型', logKinds.schema),
  targetType: textOrNull,
  targetId: textOrNull,
  targetNo: textOrNull,
  targetCount: z.number(),
  diff: field('变更', z.array(trailDifference), {
    width: 480,
    text: (diff) => diff.map(({ label, before, after }) => `${label}：${shown(before)} → ${shown(after)}`).join('；'),
  }),
  diffTruncated: z.boolean(),
  resultCode: z.string(),
  message: textOrNull,
  ip: field('IP', textOrNull),
});

export const queryOperationLogList = call({
  host: 'admin',
  service,
  operation: 'queryOperationLogList',
  shape: 'cursor',
  kind: 'query',
  input: z.strictObject({ ...cursorPaging, ...logFilter }),
  output: logRow,
  access: access.permission(may['log.view']),
  label: '查询操作日志',
});

export const queryOperationLogDetail = call({
  host: 'admin',
  service,
  operation: 'queryOperationLogDetail',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ id }),
  output: z.strictObject({
    ...logRow.shape,
    input: z.unknown(),
    userAgent: textOrNull,
    targetIds: z.array(z.string()),
    idempotencyKey: textOrNull,
    seq: textOrNull,
    rowHash: textOrNull,
    chainHash: textOrNull,
    neighbours: z.array(z.strictObject({ id: z.string(), at, label: z.string(), resultCode: z.string() })),
  }),
  access: access.permission(may['log.view']),
  label: '查询操作日志详情',
});

/** Behind the links 操作轨迹: the last rows of one record. */
export const queryTargetLog = call({
  host: 'admin',
  service,
  operation: 'queryTargetLog',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({
    ...paging,
    targetType: text('对象类型', 50, 1),
    targetId: text('对象', 40, 1),
    routeKey: z.optional(text('页面', 100)),
  }),
  output: logRow,
  access: access.owner(may['log.view']),
  label: '查询对象操作轨迹',
});

export const exportOperationLog = exportOf(queryOperationLogList, {
  operation: 'exportOperationLog',
  access: access.permission(may['log.export']),
  label: '导出操作日志',
});

export const verifyOperationLog = call({
  host: 'admin',
  service,
  operation: 'verifyOperationLog',
  shape: 'data',
  kind: 'command',
  message: '已开始校验',
  input: z.strictObject({ from: field('开始时间', day), to: field('结束时间', day) }),
  output: z.strictObject({ runId: z.string() }),
  access: access.permission(may['log.verify']),
  label: '发起日志链校验',
});

export const queryVerifyRunList = call({
  host: 'admin',
  service,
  operation: 'queryVerifyRunList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({ ...paging, from: field('开始时间', z.optional(instant)), to: field('结束时间', z.optional(instant)) }),
  output: z.strictObject({
    id: z.string(),
    fromDay: at,
    toDay: at,
    state: verifyRunStates.dictionary.schema,
    checked: z.number(),
    total: z.number(),
    brokenSeq: textOrNull,
    brokenLogId: textOrNull,
    brokenReason: textOrNull,
    displayName: textOrNull,
    createdAt: at,
    finishedAt: atOrNull,
  }),
  access: access.permission(may['log.verify']),
  label: '查询校验任务',
});

export const queryLogAnchorList = call({
  host: 'admin',
  service,
  operation: 'queryLogAnchorList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({ ...paging, from: field('开始时间', z.optional(day)), to: field('结束时间', z.optional(day)) }),
  output: z.strictObject({
    id: z.string(),
    day: at,
    firstSeq: textOrNull,
    lastSeq: textOrNull,
    count: z.number(),
    chainHash: z.string(),
    signatureValid: z.boolean(),
    fileId: textOrNull,
  }),
  access: access.permission(may['log.view']),
  label: '查询日志锚点',
});

export const downloadLogAnchor = call({
  host: 'admin',
  service,
  operation: 'downloadLogAnchor',
  shape: 'file',
  kind: 'command',
  log: 'DOWNLOAD',
  input: z.strictObject({ id }),
  output: exportQueued,
  access: access.permission(may['log.view']),
  label: '下载锚点文件',
});

export const queryLoginLogList = call({
  host: 'admin',
  service: 'LoginLogService',
  operation: 'queryLoginLogList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({
    ...paging,
    ...sortedBy('at'),
    userName: z.optional(text('用户名', 64)),
    userId: field('用户', z.optional(id)),
    ip: z.optional(wholeText('IP', 64)),
    result: field('结果', z.optional(several(loginResults.schema))),
    method: field('方式', z.optional(loginMethods.schema)),
    abnormal: field('异常', z.optional(several(loginAnomalies.schema))),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
  }),
  output: z.strictObject({
    id: z.string(),
    at: field('时间', at),
    userName: field('用户名', z.string()),
    displayName: field('姓名', textOrNull),
    method: field('方式', loginMethods.schema),
    result: field('结果', loginResults.schema),
    abnormal: field('异常', z.array(loginAnomalies.schema)),
    ip: field('IP', textOrNull),
    userAgent: textOrNull,
    deviceLabel: field('设备', textOrNull),
  }),
  access: access.permission(may['loginLog.view']),
  label: '查询登录日志',
});

/** Chart 近7天失败次数. */
export const queryLoginFailureTrend = call({
  host: 'admin',
  service: 'LoginLogService',
  operation: 'queryLoginFailureTrend',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({}),
  output: z.array(z.strictObject({ day: at, failed: z.number(), ok: z.number() })),
  access: access.permission(may['loginLog.view']),
  label: '查询登录失败趋势',
});

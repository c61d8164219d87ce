import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportQueued } from '#kernel/contract/exporting.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, flag, id, instant, instantOut, several, text, textOrNull, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trailDifference } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { logKinds, loginAnomalies, loginMethods, loginResults } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { verifyRunStates } from '../states.ts';
import { at, atOrNull } from './shared.ts';

const loginLog = declareService('LoginLogService');

const service = declareService('OperationLogService');

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

export const queryOperationLogList = service.cursor({
  operation: 'queryOperationLogList',
  label: '查询操作日志',
  access: may['log.view'],
  filter: logFilter,
  output: logRow,
});

export const queryOperationLogDetail = service.read({
  operation: 'queryOperationLogDetail',
  label: '查询操作日志详情',
  access: may['log.view'],
  input: { id },
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
});

/** Behind the links 操作轨迹: the last rows of one record. */
export const queryTargetLog = service.list({
  operation: 'queryTargetLog',
  label: '查询对象操作轨迹',
  access: access.owner(may['log.view']),
  filter: { targetType: text('对象类型', 50, 1), targetId: text('对象', 40, 1), routeKey: z.optional(text('页面', 100)) },
  output: logRow,
});

export const exportOperationLog = exportOf(queryOperationLogList, {
  operation: 'exportOperationLog',
  access: may['log.export'],
  label: '导出操作日志',
});

export const verifyOperationLog = service.act({
  operation: 'verifyOperationLog',
  label: '发起日志链校验',
  access: may['log.verify'],
  message: '已开始校验',
  input: { from: field('开始时间', day), to: field('结束时间', day) },
  output: z.strictObject({ runId: z.string() }),
});

export const queryVerifyRunList = service.list({
  operation: 'queryVerifyRunList',
  label: '查询校验任务',
  access: may['log.verify'],
  filter: { from: field('开始时间', z.optional(instant)), to: field('结束时间', z.optional(instant)) },
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
});

export const queryLogAnchorList = service.list({
  operation: 'queryLogAnchorList',
  label: '查询日志锚点',
  access: may['log.view'],
  filter: { from: field('开始时间', z.optional(day)), to: field('结束时间', z.optional(day)) },
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
});

export const downloadLogAnchor = service.file({
  operation: 'downloadLogAnchor',
  label: '下载锚点文件',
  access: may['log.view'],
  input: { id },
  output: exportQueued,
});

export const queryLoginLogList = loginLog.list({
  operation: 'queryLoginLogList',
  label: '查询登录日志',
  access: may['loginLog.view'],
  filter: {
    ...sortedBy('at'),
    userName: z.optional(text('用户名', 64)),
    userId: field('用户', z.optional(id)),
    ip: z.optional(wholeText('IP', 64)),
    result: field('结果', z.optional(several(loginResults.schema))),
    method: field('方式', z.optional(loginMethods.schema)),
    abnormal: field('异常', z.optional(several(loginAnomalies.schema))),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
  },
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
});

/** Chart 近7天失败次数. */
export const queryLoginFailureTrend = loginLog.read({
  operation: 'queryLoginFailureTrend',
  label: '查询登录失败趋势',
  access: may['loginLog.view'],
  input: {},
  output: z.array(z.strictObject({ day: at, failed: z.number(), ok: z.number() })),
});

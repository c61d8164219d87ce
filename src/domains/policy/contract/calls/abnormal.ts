import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  flag,
  id,
  idOut,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { acted, ADDED, CHANGED, declareService, DELETED, maybe, nothing } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { checkCodes, ownerKinds, severities, subjectTypes } from '../abnormal/checks.ts';
import { findingActions, findingMachine } from '../abnormal/states.ts';
import { abnormalPermissions as may } from '../permissions.ts';

const service = declareService('AbnormalPolicyService', 'product');
const state = findingMachine.dictionary.schema;
const checkCode = field('检查项', checkCodes.schema, { width: 150 });

const findingRow = z.strictObject({
  id: idOut,
  checkCode,
  severity: field('严重度', severities.schema, { width: 80 }),
  subjectType: field('对象类型', subjectTypes.schema, { width: 90 }),
  subjectId: idOut,
  subject: field('对象', z.string(), { width: 200 }),
  policyId: z.nullable(idOut),
  expected: field('应为', z.string(), { width: 170 }),
  actual: field('实为', z.string(), { width: 200 }),
  insurerName: field('保司', z.string(), { width: 110 }),
  owner: field('责任人', textOrNull, { width: 90 }),
  firstSeenAt: field('首次发现', instantOut),
  lastSeenAt: field('最近发现', instantOut),
  timesSeen: field('次数', z.int(), { width: 70 }),
  dueAt: field('处理时限', instantOut),
  overdue: field('已超时', z.boolean(), { width: 80 }),
  state: field('状态', state, { width: 110 }),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type FindingRow = z.output<typeof findingRow>;

const filters = {
  checkCode: field('检查项', z.optional(several(checkCodes.schema))),
  severity: field('严重度', z.optional(severities.schema)),
  state: field('状态', z.optional(several(state))),
  mine: field('待我处理', z.optional(flag)),
  insurerId: field('保司', z.optional(id)),
  policyNo: z.optional(wholeText('保单号', 40)),
  firstSeenFrom: field('首次发现起', z.optional(day)),
  firstSeenTo: field('首次发现止', z.optional(day)),
  overdue: field('已超时', z.optional(flag)),
};
export const queryFindingList = service.list({
  operation: 'queryFindingList',
  label: '查询异常保单数据',
  access: may['abnormal.view'],
  filter: { ...filters, ...sortedBy('firstSeenAt', 'dueAt') },
  output: findingRow,
});
export const exportFinding = exportOf(queryFindingList, {
  operation: 'exportFinding',
  label: '导出异常保单数据',
  access: may['abnormal.view'],
});

const openCount = z.strictObject({
  checkCode: checkCodes.schema,
  severity: severities.schema,
  insurerId: z.nullable(idOut),
  insurerName: z.string(),
  count: z.int(),
});
const runRow = z.strictObject({
  id: idOut,
  startedAt: field('开始时间', instantOut),
  finishedAt: field('结束时间', instantOut),
  startedBy: field('运行人', z.string(), { width: 100 }),
  checkCount: field('检查项数', z.int(), { width: 90 }),
  found: field('发现', z.int(), { width: 80 }),
  added: field('新增', z.int(), { width: 80 }),
  cleared: field('自动解决', z.int(), { width: 90 }),
});
/** Last run, and how many findings wait: per check, severity and insurer. */
export const queryFindingTotal = service.read({
  operation: 'queryFindingTotal',
  label: '查询异常保单数据统计',
  access: may['abnormal.view'],
  input: {},
  output: z.strictObject({ lastRun: z.nullable(runRow), open: z.array(openCount) }),
});

const detail = z.strictObject({
  ...findingRow.shape,
  guide: z.array(z.string()),
  impact: z.strictObject({ contracts: z.int(), claims: z.int(), openPremiumFen: z.string() }),
  fixNote: textOrNull,
  ignoreUntil: z.nullable(dayOut),
  ignoreBy: textOrNull,
  resolvedAt: z.nullable(instantOut),
  timeline: trail,
});
export type FindingDetail = z.output<typeof detail>;
export const queryFindingDetail = service.read({
  operation: 'queryFindingDetail',
  label: '查看异常保单数据',
  access: may['abnormal.view'],
  input: { findingId: field('异常', id) },
  output: detail,
});

export const auditFinding = service.act({
  operation: 'auditFinding',
  label: '处理异常保单数据',
  access: access.owner(may['abnormal.handle'], may['abnormal.supervise']),
  input: {
    id: field('异常', id),
    version,
    action: field('动作', z.enum(findingActions)),
    note: optionalText('说明', 500),
    toUserId: field('责任人', z.optional(id)),
    ignoreUntil: field('忽略至', z.optional(day)),
  },
  output: acted(state),
});

export const MOST_TRANSFERRED = 100;
/** Findings to one person; each has its own answer, a refused one leaves the others. */
export const batchTransferFinding = service.act({
  operation: 'batchTransferFinding',
  label: '批量转派异常保单数据',
  access: access.owner(may['abnormal.handle'], may['abnormal.supervise']),
  input: {
    items: field(
      '异常',
      z
        .array(z.strictObject({ id: field('异常', id), version }))
        .check(z.minLength(1, '请选择异常'), z.maxLength(MOST_TRANSFERRED, `一次最多${MOST_TRANSFERRED}条`)),
    ),
    toUserId: field('责任人', id),
    note: text('说明', 500, 1),
  },
  output: z.array(z.strictObject({ id: idOut, ok: z.boolean(), code: textOrNull, message: z.string() })),
});

export const runCheck = service.act({
  operation: 'runCheck',
  label: '运行异常检查',
  access: may['abnormal.supervise'],
  input: { checkCode: field('检查项', z.optional(several(checkCodes.schema))) },
  output: runRow,
});
export const queryRunList = service.list({
  operation: 'queryRunList',
  label: '查询检查记录',
  access: may['abnormal.view'],
  filter: { ...sortedBy('startedAt', 'finishedAt', 'found', 'added', 'cleared') },
  output: runRow,
});

const checkRow = z.strictObject({
  checkCode: field('编号', checkCodes.schema, { width: 180 }),
  enabled: field('启用', z.boolean(), { width: 80 }),
  severity: field('严重度', severities.schema, { width: 90 }),
  dueDays: field('处理时限（天）', z.int(), { width: 120 }),
  ownerRule: field('责任人类别', ownerKinds.schema, { width: 120 }),
  binding: field('不可忽略', z.boolean(), { width: 100 }),
  openCount: field('未解决', z.int(), { width: 90 }),
  version: z.int(),
});
export type CheckRow = z.output<typeof checkRow>;
export const queryCheckList = service.read({
  operation: 'queryCheckList',
  label: '查询检查项',
  access: may['abnormal.view'],
  input: {},
  output: z.array(checkRow),
});
export const modifyCheck = service.act({
  operation: 'modifyCheck',
  label: '修改检查项',
  access: may['abnormal.supervise'],
  ...CHANGED,
  input: {
    checkCode,
    version,
    enabled: field('启用', z.boolean()),
    severity: field('严重度', severities.schema),
    dueDays: field('处理时限（天）', z.int().check(z.minimum(1, '处理时限为1-90天'), z.maximum(90, '处理时限为1-90天'))),
    ownerRule: field('责任人类别', ownerKinds.schema),
  },
  output: checkRow,
});

const owner = z.strictObject({ userId: idOut, displayName: z.string() });
/** Who may be given a finding. */
export const queryFindingOwnerOptions = service.read({
  operation: 'queryFindingOwnerOptions',
  label: '查询异常责任人选项',
  access: access.owner(may['abnormal.supervise'], may['abnormal.handle']),
  input: {},
  output: z.array(owner),
});

const ownerRow = z.strictObject({
  id: idOut,
  ownerKind: field('责任人类别', ownerKinds.schema, { width: 140 }),
  insurerId: z.nullable(idOut),
  insurerName: field('保司', z.string(), { width: 160 }),
  userId: idOut,
  userName: field('责任人', z.string(), { width: 120 }),
  /** He may handle findings of the insurer today; otherwise they come to nobody. */
  fit: field('可处理', z.boolean(), { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type OwnerRow = z.output<typeof ownerRow>;
/** Whose findings are from the first on: of an insurer, or of all that have nobody of their own. */
export const queryFindingOwnerList = service.read({
  operation: 'queryFindingOwnerList',
  label: '查询异常责任人',
  access: may['abnormal.view'],
  input: {},
  output: z.array(ownerRow),
});
const ownerUser = field('责任人', id);
export const addFindingOwner = service.act({
  operation: 'addFindingOwner',
  label: '新增异常责任人',
  access: may['abnormal.supervise'],
  ...ADDED,
  input: { ownerKind: field('责任人类别', ownerKinds.schema), insurerId: field('保司', maybe(id)), userId: ownerUser },
  output: ownerRow,
});
export const modifyFindingOwner = service.act({
  operation: 'modifyFindingOwner',
  label: '修改异常责任人',
  access: may['abnormal.supervise'],
  ...CHANGED,
  input: { id, version, userId: ownerUser },
  output: ownerRow,
});
export const removeFindingOwner = service.act({
  operation: 'removeFindingOwner',
  label: '删除异常责任人',
  access: may['abnormal.supervise'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});

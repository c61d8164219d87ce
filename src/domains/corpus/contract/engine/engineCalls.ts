import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, instant, instantOut, optionalText, paging, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions } from '../permissions.ts';
import { onResume, switchScope } from './states.ts';

const base = { host: 'admin', service: 'EngineService' } as const;
const mayView = access.permission(corpusPermissions['corpus.view']);

const whole = (label: string, min: number, max: number) => {
  const message = `${label}须为${min}至${max}的整数`;
  return field(label, z.int(message).check(z.minimum(min, message), z.maximum(max, message)));
};

export const engineSettings = z.strictObject({
  capPerDay: whole('每人每日触达上限', 1, 20),
  cap7Days: whole('每人7日触达上限', 1, 100),
  sameMaterialGapDays: whole('相同素材间隔天数', 0, 90),
  ratePerSecond: whole('每秒发送上限', 1, 1000),
  breakerWindow: whole('熔断观察条数', 20, 10_000),
  /** Basis points: 2000 is a fifth. */
  breakerFailBp: whole('熔断失败率（万分比）', 100, 10_000),
});
export type EngineSettings = z.output<typeof engineSettings>;

export const slotLoad = z.strictObject({
  slot: z.string(),
  planned: z.int(),
  sent: z.int(),
  held: z.int(),
  skipped: z.int(),
  failed: z.int(),
});

export const engineState = z.strictObject({
  /** Why all sending is stopped; null while it is not. */
  stopped: z.nullable(z.strictObject({ reason: z.string(), at: instantOut, byBreaker: z.boolean() })),
  /** Touches whose time has come and that wait. */
  backlog: z.int(),
  /** How long the oldest of them waits, in whole minutes. */
  oldestMinutes: z.int(),
  unknown: z.int(),
  sentToday: z.int(),
  /** Of the last results; basis points. */
  failBp: z.int(),
  results: z.int(),
  slots: z.array(slotLoad),
  errors: z.array(z.strictObject({ sendNo: z.string(), at: instantOut, text: z.string() })),
  setting: z.extend(engineSettings, { version: z.int() }),
});
export type EngineState = z.output<typeof engineState>;

export const queryEngineState = call({
  ...base,
  operation: 'queryEngineState',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({}),
  output: engineState,
  access: mayView,
  label: '查询随访引擎状态',
});

export const switchRow = z.strictObject({
  id: idOut,
  scopeType: field('范围', switchScope.schema),
  scopeId: z.string(),
  scopeName: field('对象', z.string(), { width: 200 }),
  reason: field('停发原因', z.string(), { width: 240 }),
  until: field('停发至', z.nullable(instantOut)),
  by: field('操作人', z.string()),
  active: field('停发中', z.boolean()),
  createdAt: field('停发时间', instantOut),
  endedAt: field('恢复时间', z.nullable(instantOut)),
  endedBy: field('恢复人', z.nullable(z.string())),
  onResume: field('恢复方式', z.nullable(onResume.schema)),
});
export type SwitchRow = z.output<typeof switchRow>;

export const querySendSwitchList = call({
  ...base,
  operation: 'querySendSwitchList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({ ...paging, ...sortedBy('until', 'createdAt', 'endedAt'), active: field('停发中', z.optional(z.boolean())) }),
  output: switchRow,
  access: mayView,
  label: '查询停发记录',
});

const scope = {
  scopeType: field('停发范围', switchScope.schema),
  /** Empty for everything. */
  scopeId: field('停发对象', z._default(z.union([z.literal(''), id]), '')),
};

/** Who may stop single patients, conversations or doctors need not be allowed to stop all. */
const byScope = (forAll: { code: string }) =>
  access.byAction('scopeType', { ENGINE: forAll, SCENE: forAll }, corpusPermissions['run.operate']);

export const stopSend = call({
  ...base,
  operation: 'stopSend',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ ...scope, reason: optionalText('停发原因', 200), until: field('停发至', z.optional(instant)) }),
  output: z.strictObject({ id: idOut }),
  access: byScope(corpusPermissions['engine.stop']),
  label: '停发随访消息',
  message: '已停发',
});

export const resumeSend = call({
  ...base,
  operation: 'resumeSend',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ ...scope, onResume: field('恢复方式', onResume.schema) }),
  output: z.strictObject({ id: z.string() }),
  access: byScope(corpusPermissions['engine.resume']),
  label: '恢复随访发送',
  message: '已恢复发送',
});

export const modifyEngineSetting = call({
  ...base,
  operation: 'modifyEngineSetting',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ ...engineSettings.shape, version }),
  output: z.strictObject({ version: z.int() }),
  access: access.permission(corpusPermissions['engine.setting']),
  label: '修改随访引擎参数',
  message: '修改成功!',
});
